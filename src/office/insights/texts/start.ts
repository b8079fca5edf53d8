/** Starts the jobs behind insights. An account that asks again while its job waits or runs gets the same one. */
import type { Staff } from '#access/caller'
import type { RequestContext } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { computeInsights } from '#office/insights/trial/job'
import { describeInsights } from './job'
import { pendingJob } from './store'

type StartContext = RequestContext<Staff> & { after(effect: () => void): void }

/**
 * Starts the job that computes the insights on a trial, or asks for a text about it or about a participant. Returns its `_id`.
 * @param what.withText whether a text is asked for; about a participant it always is
 */
export function startInsights(
  { services, db, now, id, caller, after }: StartContext,
  { trial, participant, withText }: { trial: Id; participant: Id | null; withText: boolean },
): Id {
  const user = caller.user._id
  const { kind } = withText ? describeInsights : computeInsights
  const pending = pendingJob(db, { kind, user, trial, participant })
  if (pending) return pending.jobId
  const job = { _id: id(), createdAt: now, user, trial }
  const { jobId } = withText
    ? insertJob(db, describeInsights, { ...job, input: { trial, participant, at: now } })
    : insertJob(db, computeInsights, { ...job, input: { trial, at: now } })
  after(() => void services.startJob(jobId))
  return jobId
}
