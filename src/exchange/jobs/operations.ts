import { type PackedAccess, unpackAccess } from '#access/packed'
import { requireStillPermitted } from '#access/still'
import { trialVisibleTo } from '#design/trials/scope'
import { operation, type Scope, type ScopeResult } from '#http/operation'
import type { Job as JobRow } from '#jobs/kind'
import { jobById } from '#jobs/queue'
import { found, refuse } from '#kernel/problem'
import { Job } from './model'

/** The job that `:jobId` names, for the account that started it, as long as the account sees the job's trial. */
const job: Scope<ScopeResult & { job: JobRow }, 'jobId'> = (asked) => {
  const { db, caller, params } = asked
  const row = found(jobById(db, params.jobId), 'job')
  if (row.user !== caller.user._id) throw refuse.missing('job')
  return { job: row, ...(row.trial === null ? {} : trialVisibleTo(asked, row.trial, 'job')) }
}

const readJob = operation({
  method: 'GET',
  path: '/jobs/:jobId',
  summary: 'See how a job is getting on',
  description: 'For the account that started it, while it holds what the job was started with.',
  scope: job,
  needs: 'nothing',
  returns: Job,
  run: ({ job, access }) => {
    const then = job.input.access as PackedAccess | undefined
    if (then && access) requireStillPermitted({ access: unpackAccess(then) }, { access })
    return job
  },
})

export const jobOperations = [readJob] as const
