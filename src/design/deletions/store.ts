/** The rows of deletions: what was deleted, until when it can be restored, and what is kept of it. */
import { literalOf } from '#db/capture'
import type { Db } from '#db/open'
import { deleteWhere, insert, insertNew, rowById, rowsFrom, rowsWhere, rowWhere, updateById } from '#db/rows'
import { deletedRows, deletions, files, keptFiles } from '#db/tables/index'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'

export type DeletionRow = typeof deletions.$inferSelect
export type KeptFile = typeof keptFiles.$inferSelect

/** What audit entries say of a deletion. */
export const deletionEvent = ({ _id, kind, subject, createdAt, restorableUntil }: DeletionRow) => ({
  deletion: _id,
  kind,
  subject,
  deletedAt: createdAt,
  restorableUntil: instantText(restorableUntil),
})

export const insertDeletion = (db: Db, row: typeof deletions.$inferInsert): DeletionRow => insert(db, deletions, row)

export const deletionById = (db: Db, _id: Id): DeletionRow | undefined => rowById(db, deletions, _id)

export const changeDeletion = (db: Db, _id: Id, change: Partial<typeof deletions.$inferInsert>): DeletionRow =>
  updateById(db, deletions, _id, change)

/** What is kept of a trial, newest first. @param before the `_id` of the last one of the page before */
export const keptDeletionsOf = (db: Db, trial: Id, before: Id, limit: number): DeletionRow[] =>
  rowsFrom(
    db,
    deletions,
    `WHERE trial = +$trial AND status = 'kept' AND _id < $before ORDER BY _id DESC LIMIT +$limit`,
    { trial, before, limit },
  )

/** The trials of a team that are kept, newest first. */
export const keptTrialsOf = (db: Db, team: Id, before: Id, limit: number): DeletionRow[] =>
  rowsFrom(
    db,
    deletions,
    `WHERE team = +$team AND status = 'kept' AND kind = 'trial' AND _id < $before ORDER BY _id DESC LIMIT +$limit`,
    { team, before, limit },
  )

/** The deletion of a trial that is kept. */
export const keptTrial = (db: Db, trial: Id): DeletionRow | undefined =>
  rowWhere(db, deletions, { subject: trial, kind: 'trial', status: 'kept' })

/** The deletions whose time has passed, but trials, in the order in which it passed. */
export const endedDeletions = (db: Db, now: Instant, limit: number): DeletionRow[] =>
  rowsFrom(
    db,
    deletions,
    `WHERE status = 'kept' AND kind <> 'trial' AND restorableUntil <= $now ORDER BY restorableUntil LIMIT +$limit`,
    { now, limit },
  )

/** What is kept of a participant: themselves, or responses of theirs. */
export const keptOfParticipant = (db: Db, participant: Id): DeletionRow[] =>
  rowsWhere(db, deletions, { participant, status: 'kept' }, '_id')

/** Whether a participant was deleted, and can be restored still. */
export const isRestorable = (db: Db, participant: Id): boolean =>
  rowsWhere(db, deletions, { subject: participant }, '_id').some(
    ({ status }) => status === 'deleting' || status === 'kept',
  )

/** Until when the last of what is kept in a trial, or of a participant, can be restored; 0 if nothing is kept. */
export const keptUntil = (db: Db, of: { trial: Id } | { participant: Id }): Instant =>
  Math.max(
    0,
    ...rowsWhere(db, deletions, { ...of, status: 'kept' }, '_id').map(({ restorableUntil }) => restorableUntil),
  )

export const insertPart = (db: Db, deletion: Id, number: number, content: Buffer): void =>
  void insert(db, deletedRows, { deletion, number, content })

/** The parts of what is kept, in order. @throws a fault if their numbers are not 0, 1, … */
export const partsOf = (db: Db, deletion: Id): Uint8Array[] =>
  rowsWhere(db, deletedRows, { deletion }, 'number').map(({ content, number }, at) => {
    if (number !== at) throw fault(`lacks the part ${at}`)
    return content
  })

export const keepFile = (db: Db, file: KeptFile): void => void insertNew(db, keptFiles, file)

export const filesOf = (db: Db, deletion: Id): KeptFile[] => rowsWhere(db, keptFiles, { deletion }, 'storedName')

/** Forgets what is kept of a deletion. */
export function forgetContent(db: Db, deletion: Id): void {
  deleteWhere(db, deletedRows, { deletion })
  deleteWhere(db, keptFiles, { deletion })
}

/** Some deletions that were accepted and are still to be done. @param trial of this one only */
export const pendingDeletions = (db: Db, limit: number, trial?: Id): DeletionRow[] =>
  rowsFrom(
    db,
    deletions,
    `WHERE status = 'deleting' AND (+$trial IS NULL OR trial = +$trial) ORDER BY subject LIMIT +$limit`,
    { trial: trial ?? null, limit },
  )

/** Whether the bytes of an upload are still needed by something that exists or is kept. */
export const isFileNeeded = (db: Db, storedName: string): boolean =>
  rowWhere(db, files, { storedName }) !== undefined || rowWhere(db, keptFiles, { storedName }) !== undefined

/** The row of an upload as it is kept; undefined if there is none. */
export function keptRowOf(db: Db, storedName: string): Pick<KeptFile, 'sha256' | 'row'> | undefined {
  const columns = db.$client
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_xinfo('files') WHERE hidden = 0`)
    .all()
  const row = `json_object(${columns.map(({ name }) => `${literalOf(name)}, quote("${name}")`).join(', ')})`
  const found = db.$client
    .query<Pick<KeptFile, 'sha256' | 'row'>, [{ storedName: string }]>(
      `SELECT ${row} AS row, iif(finishedAt IS NULL, NULL, sha256) AS sha256 FROM files WHERE storedName = $storedName`,
    )
    .get({ storedName })
  return found ?? undefined
}

/** Takes the row of an upload out of the list of files, so that it cannot be downloaded. */
export const deleteFileRow = (db: Db, storedName: string): void => void deleteWhere(db, files, { storedName })

/** Every deletion in this state, oldest first, for `verify`. */
export const deletionsInState = (db: Db, status: DeletionRow['status']): DeletionRow[] =>
  rowsWhere(db, deletions, { status }, '_id')

/** The trials that were or are being purged: of the latter, entries of the audit trail are left when the rows are gone. */
export const purgedTrials = (db: Db): Set<Id> =>
  new Set(
    (['purging', 'purged'] as const)
      .flatMap((status) => deletionsInState(db, status))
      .flatMap(({ kind, subject }) => (kind === 'trial' ? [subject] : [])),
  )
