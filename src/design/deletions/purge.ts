/** Purges deletions: afterwards they cannot be restored. */
import { appendEntry } from '#audit/append'
import { erasePersonal } from '#audit/store'
import type { Db } from '#db/open'
import { withSecureDelete } from '#db/secureDelete'
import { removeFiles } from '#jobs/fileRemoval'
import type { Instant } from '#kernel/time'
import {
  changeDeletion,
  type DeletionRow,
  deletionEvent,
  filesOf,
  forgetContent,
  isFileNeeded,
  keptOfParticipant,
} from './store'

type RemovalContext = Parameters<typeof removeFiles>[0]

/** Deletes what is kept, in the transaction. Returns the stored names of the uploads that nothing needs any more. */
export function purgeContent(db: Db, deletion: DeletionRow, now: Instant): { purged: DeletionRow; files: string[] } {
  const files = filesOf(db, deletion._id)
  withSecureDelete(db, () => {
    forgetContent(db, deletion._id)
    if (deletion.kind === 'participant') erasePersonal(db, deletion.subject)
  })
  const purged = changeDeletion(db, deletion._id, { status: 'purged', hash: null, endedAt: now })
  return { purged, files: files.map(({ storedName }) => storedName).filter((name) => !isFileNeeded(db, name)) }
}

/**
 * Purges a deletion, with what is kept of the same participant, and removes the files after the commit. Returns the rows after it, its
 * own first. The caller records each.
 */
export function purge(context: RemovalContext, deletion: DeletionRow): [DeletionRow, ...DeletionRow[]] {
  const { db, now } = context
  const { purged, files } = purgeContent(db, deletion, now)
  const others: DeletionRow[] = []
  const { purgeAskedBy, purgeAskedAt, purgeReason, purgeConfirmedBy } = deletion
  if (deletion.kind === 'participant')
    for (const { _id } of keptOfParticipant(db, deletion.subject)) {
      // A request to purge the participant includes their responses.
      const other = changeDeletion(db, _id, { purgeAskedBy, purgeAskedAt, purgeReason, purgeConfirmedBy })
      const forgotten = purgeContent(db, other, now)
      others.push(forgotten.purged)
      files.push(...forgotten.files)
    }
  removeFiles(context, [...new Set(files)])
  return [purged, ...others]
}

/** Records a purge that follows by itself: its time has passed, or the personal information of its participant is erased. */
export function recordPurge(db: Db, now: Instant, row: DeletionRow, more: { reason?: string } = {}): void {
  const { trial, team, participant } = row
  const entry = { chain: trial ?? team, createdAt: now, type: 'purgeDeletion', userType: 'system' as const }
  appendEntry(db, { ...entry, participant, event: { ...deletionEvent(row), ...more } })
}
