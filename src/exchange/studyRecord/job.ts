/** The job that writes a study record, and the registration of the finished file. */

import { nameOf } from '#design/studyRecord/names'
import { finishDataset } from '#design/studyRecord/store'
import { type StudyRecord, type StudyRecordTask, studyRecordTask } from '#design/studyRecord/task'
import { trialById } from '#design/trials/store'
import type { JobServices } from '#jobs/kind'
import { workerKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY } from '#kernel/time'
import { insertFile } from '#storage/store'

/** How long the link to a study record is valid (docs/exports.md, "Study records"). */
const RECORD_KEPT = 5 * DAY

const ZIP = 'application/zip'

/**
 * Inserts a row for the file of a finished record: with a link for five days, or permanently with the lock that it
 * belongs to.
 */
function finish(
  { db, clock, storage }: JobServices,
  { user, input }: { user: Id; input: StudyRecordTask },
  { bytes: size, sha256, counts, amiss }: StudyRecord,
) {
  const { trial: _id, file: storedName, dataset, at } = input
  const trial = trialById(db, _id)
  if (!trial) throw refuse.bad('trialDeleted')
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
    createdBy: user,
    name,
    type: ZIP,
    size,
    sha256,
    finishedAt: now,
    expiresAt: kept ? null : expiresAt,
  })
  return { request: storage.downloadUrl(storedName, name, expiresAt), fileName: name, counts, amiss }
}

/** Writes a whole study into one archive (docs/exports.md, "Study records"). */
export const studyRecord = workerKind({
  ...studyRecordTask,
  lane: 'exports',
  work: async () => (await import('./work')).studyRecordWork,
  finish,
  // The file may be written already, and no row refers to it.
  onFailure: ({ storage, fault }, { input }) => {
    storage.remove(input.file).catch((reason) => fault(reason, 'study record'))
  },
})
