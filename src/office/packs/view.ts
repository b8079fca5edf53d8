/**
 * What a caller sees of packs and of their events. Every answer, file and export that shows a pack gets it from here, so that this is
 * the only place that decides which fields of a pack a caller sees.
 */

import { concealedFrom } from '#access/armConcealmentStore'
import { type Access, visibleScopeOf } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { PackEventRow } from '#office/packs/events/store'
import { type PackRow, participantsAmong } from './store'

/** A pack, or an event of one, as this caller sees it: without `participant` and `packType` if those are hidden. */
export type CallerView<T> = Omit<T, 'participant' | 'packType'> & { participant?: Id | null; packType?: Id }

/** A pack without its type if that is of a concealed arm, and without batch number and extended fields, which go with the type. */
function withoutConcealedType(pack: CallerView<PackRow>, concealed: ReadonlySet<Id>): CallerView<PackRow> {
  if (pack.packType === undefined || !concealed.has(pack.packType)) return pack
  const { packType: _, ...rest } = pack
  return { ...rest, batchNumber: null, extended: {} }
}

/** Leaves out participants of other sites and groups than those of the caller. */
function withVisibleParticipants<T extends { participant: Id | null }>(
  db: Db,
  access: Access,
  rows: readonly T[],
): (Omit<T, 'participant'> & { participant?: Id | null })[] {
  const scope = visibleScopeOf(access)
  const about = [...new Set(rows.flatMap(({ participant }) => participant ?? []))]
  const visible = scope === 'all' || !about.length ? undefined : participantsAmong(db, about, scope)
  return rows.map((row) => {
    if (row.participant === null || !visible || visible.has(row.participant)) return row
    const { participant: _, ...rest } = row
    return rest
  })
}

/** Packs of one trial as this caller sees them, in the same order. */
export function packViews(db: Db, access: Access, rows: readonly PackRow[]): CallerView<PackRow>[] {
  const [first] = rows
  if (!first) return []
  const concealed = concealedFrom(db, first.trial, access)
  return withVisibleParticipants(db, access, rows).map((pack) => withoutConcealedType(pack, concealed))
}

/** One pack as this caller sees it. */
export const packView = (db: Db, access: Access, row: PackRow): CallerView<PackRow> => packViews(db, access, [row])[0]!

/** Events of packs as this caller sees them, in the same order. */
export const eventViews = (db: Db, access: Access, rows: readonly PackEventRow[]): CallerView<PackEventRow>[] =>
  withVisibleParticipants(db, access, rows)

/** A pack in an entry of the audit trail, with all that is stored of it. */
export const auditView = ({ searchText: _, import: __, ...row }: PackRow) => row
