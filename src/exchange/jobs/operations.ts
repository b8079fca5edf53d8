import { type PackedAccess, unpackAccess } from '#access/packed'
import { requireStillPermitted } from '#access/still'
import { trialVisibleTo } from '#design/trials/scope'
import { operation, type Scope, type ScopeResult } from '#http/operation'
import type { Job as JobRow } from '#jobs/kind'
import { jobById } from '#jobs/queue'
import { found, refuse } from '#kernel/problem'
import { Job } from './model'

/** The job that `:jobId` names, for the account that started it, as long as the account sees the job's trial. */
const job: Scope<ScopeResult & { job: JobRow }, 'jobId'> = (context) => {
  const { db, caller, params } = context
  const row = found(jobById(db, params.jobId), 'job')
  if (row.user !== caller.user._id) throw refuse.missing('job')
  return { job: row, ...(row.trial === null ? {} : trialVisibleTo(context, row.trial, 'job')) }
}

const readJob = operation({
  id: 'readJob',
  method: 'GET',
  path: '/jobs/:jobId',
  summary: 'Read the progress and the result of a job',
  description: 'For the account that started it, while it has the permissions that it started the job with.',
  scope: job,
  needs: 'nothing',
  returns: Job,
  run: ({ job, access }) => {
    const accessAtStart = job.input.access as PackedAccess | undefined
    if (accessAtStart && access) requireStillPermitted({ access: unpackAccess(accessAtStart) }, { access })
    return job
  },
})

export const jobOperations = [readJob] as const
