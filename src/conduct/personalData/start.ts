import type { Staff } from '#access/caller'
import type { ParticipantRow } from '#conduct/participants/store'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { newStoredName } from '#storage/names'
import type { ReportTask } from './task'
import { reportTask } from './task'

type StartContext = RequestContext<Staff> & {
  trial: SharedTrial
  participant: ParticipantRow
  after(effect: () => void): void
}

/** Starts the job that writes the report; it runs after the commit. */
export function startReport({ services, db, now, id, caller, trial, participant, after }: StartContext): { jobId: Id } {
  const file = newStoredName('a.zip', now)
  const input: ReportTask = { trial: trial._id, participant: participant._id, at: now, file }
  const by = { createdAt: now, user: caller.user._id, trial: trial._id }
  const { jobId } = insertJob(db, reportTask, { _id: id(), ...by, input })
  after(() => void services.startJob(jobId))
  return { jobId }
}
