/**
 * What a caller sees of packs and of their events. Every answer, file and export that shows a pack gets it from here, so that this is
 * the only place that decides which fields of a pack a caller sees.
 */
import { type Access, visibleScopeOf } from '#access/caller'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { PackEventRow } from '#office/packEvents/store'
import { type PackRow, participantsAmong } from './store'

/** A pack, or an event of one, as this caller sees it: without `participant` if that is hidden. */
export type Seen<T> = Omit<T, 'participant'> & { participant?: Id | null }

/** Leaves out participants of other sites and groups than those of the caller. */
function withVisibleParticipants<T extends { participant: Id | null }>(
  db: Db,
  access: Access,
  rows: readonly T[],
): Seen<T>[] {
  const scope = visibleScopeOf(access)
  const about = [...new Set(rows.flatMap(({ participant }) => participant ?? []))]
  const visible = scope === 'all' || !about.length ? undefined : participantsAmong(db, about, scope)
  return rows.map((row) => {
    if (row.participant === null || !visible || visible.has(row.participant)) return row
    const { participant: _, ...rest } = row
    return rest
  })
}

/** Packs as this caller sees them, in the same order. */
export const packViews = (db: Db, access: Access, rows: readonly PackRow[]): Seen<PackRow>[] =>
  withVisibleParticipants(db, access, rows)

/** One pack as this caller sees it. */
export const packView = (db: Db, access: Access, row: PackRow): Seen<PackRow> => packViews(db, access, [row])[0]!

/** Events of packs as this caller sees them, in the same order. */
export const eventViews = (db: Db, access: Access, rows: readonly PackEventRow[]): Seen<PackEventRow>[] =>
  withVisibleParticipants(db, access, rows)

/** A pack in an entry of the audit trail, with all that is stored of it. */
export const auditView = ({ searchText: _, ...row }: PackRow) => row
