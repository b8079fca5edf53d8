/** Purges a trial in steps, after its study record was kept if it has to be. */

import { keysOf } from '#access/keys'
import { packAccess } from '#access/packedAccess'
import { appendEntry } from '#audit/append'
import { eraseParticipant } from '#conduct/participants/deletionStore'
import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { withSecureDelete } from '#db/secureDelete'
import { trials } from '#db/tables/index'
import { changeDeletion, type DeletionRow, deletionEvent } from '#design/deletions/store'
import { nameOf } from '#design/studyRecord/names'
import type { StudyRecordTask } from '#design/studyRecord/task'
import { deleteTrial } from '#design/trials/deletionStore'
import { removeEntries, removeRows } from '#design/trials/removalStore'
import { trialById } from '#design/trials/store'
import { studyRecord } from '#exchange/studyRecord/job'
import type { Services } from '#http/services'
import { removeFiles } from '#jobs/fileRemoval'
import { insertJob, jobById } from '#jobs/queue'
import { type Id, newId } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { fileByName, insertFile } from '#storage/store'
import { isProtected, someParticipants, trialsToPurge } from './trialStore'

/** The most participants per commit, and the milliseconds after which a commit ends, so that other requests do not wait long. */
const BATCH = 10
const MILLISECONDS = 20

/** Most trials that wait for their study record, or are looked at, at once. */
const TRIALS = 20

/** After how long a study record that could not be written is tried again. */
const RETRY_AFTER = HOUR

/** Does one step of the purge of one trial. One that waits for its study record holds up no other. Returns whether more may be left. */
export async function purgeTrials(services: Services, now: Instant): Promise<boolean> {
  for (const row of trialsToPurge(services.db, now, TRIALS)) {
    const needsRecord = row.status === 'kept' && row.record === null && isProtected(services.db, row.subject)
    if (await (needsRecord ? keepStudyRecord : purgeSome)(services, row, now)) return true
  }
  return false
}

async function purgeSome(services: Services, row: DeletionRow, now: Instant): Promise<boolean> {
  const effects: (() => void)[] = []
  await services.commit(() => {
    effects.length = 0
    purgeStep(services, row, now, (effect) => effects.push(effect))
  })
  for (const effect of effects) effect()
  return true
}

/** Starts the job that writes the study record, and keeps what it wrote with the files of the team. */
async function keepStudyRecord(services: Services, row: DeletionRow, now: Instant): Promise<boolean> {
  const { db, commit } = services
  const job = row.job === null ? undefined : jobById(db, row.job)
  if (job?.status === 'pending') return false
  if (job?.status === 'error' && now < (job.finishedAt ?? now) + RETRY_AFTER) return false
  if (job?.status === 'done') {
    await commit(() => keepFinishedRecord(services, row, (job.input as StudyRecordTask).file, now))
    return true
  }
  const jobId = await commit(() => {
    const file = newStoredName('a.zip', now)
    const access = packAccess({ trial: keysOf(['trial.admin']), places: new Map() })
    const input = { trial: row.subject, access, at: now, file, dataset: null, email: row.deletedByEmail }
    const by = { _id: newId(now), createdAt: now, user: row.deletedBy, trial: row.subject, input }
    const { jobId } = insertJob(db, studyRecord, by)
    changeDeletion(db, row._id, { job: jobId })
    return jobId
  })
  void services.startJob(jobId)
  return false
}

/** Keeps a finished record for ever, with an entry in the log of the team that has its SHA-256. */
function keepFinishedRecord({ db, storage }: Services, row: DeletionRow, file: string, now: Instant): void {
  const written = fileByName(db, file)
  if (!written) return void changeDeletion(db, row._id, { job: null }) // it expired meanwhile: it is written again
  const record = newStoredName('a.zip', now)
  storage.keepExport(file, record)
  const name = nameOf({ code: row.code ?? row.name }, now, 'study record')
  const place = { trial: null, forType: 'team', forId: row.team } as const
  insertFile(db, { ...written, ...place, storedName: record, kind: 'dataset', name, isUsed: true, expiresAt: null })
  changeDeletion(db, row._id, { record })
  const event = { ...deletionEvent(row), record, name, sha256: written.sha256, size: written.size }
  const entry = { chain: row.team, createdAt: now, type: 'keepStudyRecord', userType: 'system' as const }
  appendEntry(db, { ...entry, event })
}

/**
 * Deletes a part: participants, then what else the trial has, the trial itself, and its audit trail. A kill between two parts leaves what
 * fits together, and the next start goes on.
 */
function purgeStep(services: Services, before: DeletionRow, now: Instant, after: (effect: () => void) => void): void {
  const { db } = services
  const row = before.status === 'purging' ? before : beginPurge(db, before, now)
  const { subject: trial } = row
  const removal = { db, services, now, id: () => newId(now), caller: { user: { _id: row.deletedBy } }, after }
  const end = performance.now() + MILLISECONDS
  const isOver = () => performance.now() > end
  withSecureDelete(db, () => {
    const files = eraseParticipants(db, trial, isOver) ?? removeRows(db, trial, isOver)
    if (files) removeFiles(removal, files)
    else if (trialById(db, trial)) removeFiles(removal, eraseTrial(db, row, now))
    else if (removeEntries(db, trial, isOver)) changeDeletion(db, row._id, { status: 'purged' })
  })
}

/** From now on, nothing keeps the history of the trial. */
function beginPurge(db: Db, { _id, subject }: DeletionRow, now: Instant): DeletionRow {
  updateById(db, trials, subject, { purgedAt: now })
  return changeDeletion(db, _id, { status: 'purging', endedAt: now })
}

/** Deletes the trial itself; the log of its team keeps the end of its audit trail. Returns the files that are left. */
function eraseTrial(db: Db, row: DeletionRow, now: Instant): string[] {
  const { subject: trialId, team, record } = row
  const { files, auditEntries, auditHash } = deleteTrial(db, trialId, now)
  const event = { ...deletionEvent(row), trialId, auditEntries, auditHash, record }
  appendEntry(db, { chain: team, createdAt: now, type: 'purgeDeletion', userType: 'system', event })
  return files
}

/** Deletes some participants. Returns the stored names of their files; undefined if the trial has no participant. */
function eraseParticipants(db: Db, trial: Id, isOver: () => boolean): string[] | undefined {
  const people = someParticipants(db, trial, BATCH)
  if (!people.length) return undefined
  const files: string[] = []
  for (const participant of people) {
    files.push(...eraseParticipant(db, participant).files)
    if (isOver()) break
  }
  return files
}
