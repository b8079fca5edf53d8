/** The job that writes the report on a person, and the registration of the finished file. */

import { type ReportResult, type ReportTask, reportTask } from '#conduct/personalData/task'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { JobServices } from '#jobs/kind'
import { workerKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, instantText } from '#kernel/time'
import { safeFileName } from '#storage/names'
import { insertFile } from '#storage/store'

/** Short, since the link opens everything about a person. */
const KEPT = DAY

/** Inserts the row of the file, which belongs to the participant: an erasure or deletion removes it with everything else. */
function finish(
  { db, clock, storage }: JobServices,
  { user, input }: { user: Id; input: ReportTask },
  { bytes: size, sha256, counts, amiss, erasedAt }: ReportResult,
) {
  const row = rowById(db, participants, input.participant)
  if (!row) throw refuse.bad('participantGone')
  if (row.erasedAt !== erasedAt) throw refuse.bad('erasedBeforeReport')
  const now = clock.now()
  const name = safeFileName(`${row.id} personal data ${instantText(input.at).slice(0, 10)}.zip`)
  insertFile(db, {
    ...{ storedName: input.file, createdAt: now, kind: 'export', trial: input.trial },
    ...{ forType: 'participant', forId: row._id, createdBy: user, name, type: 'application/zip' },
    ...{ size, sha256, finishedAt: now, expiresAt: now + KEPT },
  })
  return { request: storage.downloadUrl(input.file, name, now + KEPT), fileName: name, counts, amiss }
}

/** Writes everything that is held about a participant into one archive (docs/participants.md, "What is held about a person"). */
export const personalReport = workerKind({
  ...reportTask,
  lane: 'exports',
  work: async () => (await import('./work')).reportWork,
  finish,
  // The file may be written already, and no row refers to it.
  onFailure: ({ storage, fault }, { input }) => {
    storage.remove(input.file).catch((reason) => fault(reason, 'personal report'))
  },
})
