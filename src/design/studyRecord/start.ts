/** Starts the jobs that write study records. */
import type { Access, Staff } from '#access/caller'
import { armKeys } from '#access/keys'
import { packAccess } from '#access/packedAccess'
import type { Db } from '#db/open'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { Services } from '#http/services'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { nameOf } from './names'
import { insertDataset } from './store'
import type { StudyRecordTask } from './task'
import { studyRecordTask } from './task'

type StartContext = {
  services: Services
  db: Db
  now: Instant
  id(): Id
  caller: Staff
  access: Access
  after(effect: () => void): void
}

/** The permissions without those that show arms. */
const withoutArms = ({ trial, places }: Access): Access => ({
  trial: new Set([...trial].filter((key) => !armKeys.includes(key))),
  places,
})

/** Starts the job of a record; it runs after the commit. */
function start({ services, db, now, id, caller, access, after }: StartContext, trial: Trial, dataset: Id | null) {
  const file = newStoredName('a.zip', now)
  const input: StudyRecordTask = {
    trial: trial._id,
    // The record of a lock is for every admin of the trial, not only for the one who locked it.
    access: packAccess(dataset !== null && settingsOf(trial).blindsAdmins ? withoutArms(access) : access),
    at: now,
    file,
    dataset,
    email: caller.user.email,
  }
  const job = insertJob(db, studyRecordTask, {
    _id: id(),
    createdAt: now,
    user: caller.user._id,
    trial: trial._id,
    input,
  })
  after(() => void services.startJob(job.jobId))
  return { ...job, file }
}

/** Starts a record for the caller. */
export const startStudyRecord = (context: StartContext, trial: Trial): { jobId: Id } => {
  const { jobId } = start(context, trial, null)
  return { jobId }
}

/**
 * Starts the record of a lock of the database, which is kept with the trial.
 * @param version the configuration version of the lock
 */
export function startDataset(context: StartContext, trial: Trial, version: number): void {
  const { db, now, id, caller } = context
  const _id = id()
  const { jobId: job, file: storedName } = start(context, trial, _id)
  const { _id: user, email: userEmail } = caller.user
  const name = nameOf(trial, now, 'locked dataset')
  insertDataset(db, { _id, createdAt: now, trial: trial._id, user, userEmail, version, job, storedName, name })
}
