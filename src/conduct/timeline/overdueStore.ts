/** The overdue forms of participants by stage. */
import type { Db } from '#db/open'
import { deleteWhere, rowsWhere, upsert } from '#db/rows'
import { overdueForms } from '#db/tables/index'
import type { OverdueForms } from '#design/schedule/rules'
import type { Id } from '#kernel/id'

/** By stage. */
export const overdueOf = (db: Db, participant: Id): OverdueForms[] =>
  rowsWhere(db, overdueForms, { participant }, 'stage').map(({ stage, forms }) => ({ stage, forms }))

/**
 * Stores what differs. Most submissions leave nothing behind and find nothing that was: they read and write nothing.
 * @param before the participant with the number that was behind before
 */
export function saveOverdue(
  db: Db,
  { _id: participant, behind }: { _id: Id; behind: number },
  overdue: readonly OverdueForms[],
): void {
  if (behind === 0 && overdue.length === 0) return
  const now = new Map(overdue.map(({ stage, forms }) => [stage, forms]))
  for (const { stage, forms } of overdueOf(db, participant)) {
    if (!now.has(stage)) deleteWhere(db, overdueForms, { participant, stage })
    else if (now.get(stage) === forms) now.delete(stage)
  }
  for (const [stage, forms] of now) upsert(db, overdueForms, { participant, stage, forms }, 'participant', 'stage')
}
