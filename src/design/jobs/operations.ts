import { requireStillPermitted } from '#access/heldPermissions'
import { trialsOfKey } from '#access/keyLimits'
import { type PackedAccess, unpackAccess } from '#access/packedAccess'
import { trialVisibleTo } from '#design/trials/scope'
import { operation, type Scope, type ScopeResult } from '#http/operation'
import type { Job as JobRow } from '#jobs/kind'
import { cancelJob, jobById } from '#jobs/queue'
import { found, refuse } from '#kernel/problem'
import { shape } from '#wire/schema'
import { Job } from './model'

/** The job that `:jobId` names, for the account that started it, as long as the account sees the job's trial. */
const job: Scope<ScopeResult & { job: JobRow }, 'jobId'> = (context) => {
  const { db, caller, params } = context
  const row = found(jobById(db, params.jobId), 'job')
  // A job of no trial makes one: a key that is limited to trials does not reach it.
  const isBeyondKey = row.trial === null && trialsOfKey(caller) !== null
  if (row.user !== caller.user._id || isBeyondKey) throw refuse.missing('job')
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

const deleteJob = operation({
  id: 'cancelJob',
  method: 'DELETE',
  path: '/jobs/:jobId',
  summary: 'Cancel a job',
  description:
    'For the account that started it. It then ends with `status: error`, and what it had written is deleted. A change of many participants that is carried out step by step cannot be cancelled: what it has changed is changed.',
  scope: job,
  needs: 'nothing',
  logs: 'cancelJob',
  returns: shape({}),
  run: ({ job: { _id, kind, status }, services, after, record }) => {
    if (status !== 'pending') throw refuse.bad('jobEnded')
    if (!services.cancellations.has(_id)) throw refuse.bad('jobNotCancellable')
    record({ event: { jobId: _id, kind } })
    after(() => cancelJob(services, _id))
    return {}
  },
})

export const jobOperations = [readJob, deleteJob] as const
