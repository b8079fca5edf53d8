/** Starting the job that writes a study record, and what becomes of the record once it is written. */
import type { Access, Staff } from '#access/caller'
import { packed } from '#access/packed'
import type { Db } from '#db/open'
import { type Trial, trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import { type Finish, insertJob, startJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { DAY, type Instant, instantText } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { insertFile } from '#storage/store'
import { finishDataset, insertDataset } from './store'
import type { StudyRecord, StudyRecordTask } from './task'

/** How long the link to a study record works (docs/exports.md, "Study records"). */
const RECORD_KEPT = 5 * DAY

type Starting = {
  services: Services
  db: Db
  now: Instant
  id(): Id
  caller: Staff
  access?: Access
  after(effect: () => void): void
}

const ZIP = 'application/zip'

/** What a record is called where it is downloaded. */
const nameOf = ({ code }: Pick<Trial, 'code'>, at: Instant, what: string): string =>
  `${code} ${what} ${instantText(at).slice(0, 10)}.zip`

/** Starts the job of a record, to run once the act is on the disk. */
function start({ services, db, now, id, caller, access, after }: Starting, trial: Trial, dataset: Id | null) {
  const file = newStoredName('a.zip', now)
  const input: StudyRecordTask = { trial: trial._id, access: packed(access!), at: now, file, dataset }
  const task = { kind: 'studyRecord', input }
  const job = insertJob(db, { _id: id(), createdAt: now, user: caller.user._id, trial: trial._id, task })
  after(() => void startJob(services, job.jobId, studyRecordFinishers))
  return { ...job, file }
}

/** A record for whoever asked. */
export const startStudyRecord = (starting: Starting, trial: Trial): { jobId: Id } => {
  const { jobId } = start(starting, trial, null)
  return { jobId }
}

/**
 * The record that a lock of the database leaves, which is kept with the trial.
 * @param version the configuration version of the lock
 */
export function startDataset(starting: Starting, trial: Trial, version: number): void {
  const { db, now, id, caller } = starting
  const _id = id()
  const { jobId: job, file: storedName } = start(starting, trial, _id)
  const { _id: user, email: userEmail } = caller.user
  const name = nameOf(trial, now, 'locked dataset')
  insertDataset(db, { _id, createdAt: now, trial: trial._id, user, userEmail, version, job, storedName, name })
}

/** Writes down the file of a finished record: with a link of five days, or for good with the lock it belongs to. */
const finish: Finish = (services, job, result) => {
  const { db, clock, storage } = services
  const { trial: _id, file: storedName, dataset, at } = job.input as StudyRecordTask
  const { bytes: size, sha256, counts, amiss } = result as StudyRecord
  const trial = trialById(db, _id)
  if (!trial) {
    storage.remove(storedName).catch((reason) => services.fault(reason, 'study record'))
    throw new Error('The trial was deleted.')
  }
  const now = clock.now()
  const kept = dataset === null ? undefined : finishDataset(db, dataset, { size, sha256, counts })
  const name = kept?.name ?? nameOf(trial, at, 'study record')
  const expiresAt = now + RECORD_KEPT
  insertFile(db, {
    storedName,
    createdAt: now,
    kind: kept ? 'dataset' : 'export',
    trial: _id,
    forType: 'trial',
    forId: _id,
    createdBy: job.user,
    name,
    type: ZIP,
    size,
    sha256,
    finishedAt: now,
    expiresAt: kept ? null : expiresAt,
  })
  return { request: storage.downloadUrl(storedName, name, expiresAt), fileName: name, counts, amiss }
}

/** For whoever starts such a job, or starts it again. */
export const studyRecordFinishers: Record<string, Finish> = { studyRecord: finish }
