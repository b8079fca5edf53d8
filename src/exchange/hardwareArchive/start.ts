import type { Access, Staff } from '#access/caller'
import { packAccess } from '#access/packedAccess'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { newStoredName } from '#storage/names'
import { hardwareArchive } from './job'
import type { HardwareArchiveTask } from './task'

type StartContext = RequestContext<Staff> & { trial: Trial; access: Access; after(effect: () => void): void }

/** Starts the job that writes the archive; it runs after the commit. */
export function startHardwareArchive({ services, db, now, id, caller, trial, access, after }: StartContext): {
  jobId: Id
} {
  const file = newStoredName('a.zip', now)
  const input: HardwareArchiveTask = { trial: trial._id, access: packAccess(access), at: now, file }
  const by = { createdAt: now, user: caller.user._id, trial: trial._id }
  const { jobId } = insertJob(db, hardwareArchive, { _id: id(), ...by, input })
  after(() => void services.startJob(jobId))
  return { jobId }
}
