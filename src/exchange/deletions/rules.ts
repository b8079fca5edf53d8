import type { Staff } from '#access/caller'
import { isSamePerson } from '#accounts/users/store'
import type { Db } from '#db/open'
import type { DeletionRow } from '#design/deletions/store'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'

/** A page of deletions, of which one more was read to see whether it is the last. */
export const pageOf = (
  rows: readonly DeletionRow[],
  perPage: number,
): { deletions: DeletionRow[]; nextPage: Id | null } => {
  const deletions = rows.slice(0, perPage)
  return { deletions, nextPage: rows.length > perPage ? deletions.at(-1)!._id : null }
}

/** What audit entries say of a deletion. */
export const eventOf = ({ _id, kind, subject, createdAt, restorableUntil }: DeletionRow) => ({
  deletion: _id,
  kind,
  subject,
  deletedAt: createdAt,
  restorableUntil: instantText(restorableUntil),
})

/** Refuses (400) a confirmation of what nobody asked for, or of what the person asked for themselves, also with another account. */
export function requireOther(db: Db, { purgeAskedBy }: DeletionRow, { _id, email }: Staff['user']): void {
  if (purgeAskedBy === null) throw refuse.bad('Nobody has asked for a purge.')
  if (isSamePerson(db, purgeAskedBy, { _id, email }))
    throw refuse.bad('Another administrator must confirm what you asked for.')
}
