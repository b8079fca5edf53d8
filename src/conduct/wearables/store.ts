import type { Dataset, HardwareRow, HardwareService } from '#conduct/wearables/providers/records'
import type { Db } from '#db/open'
import { deleteWhere, insert, rowsFrom, rowWhere, updateById, updateWhere, upsert } from '#db/rows'
import { hardwareRecords, wearableConnections, wearableSignIns } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type ConnectionRow = typeof wearableConnections.$inferSelect
export type Service = ConnectionRow['service']

/** The place of a record in the list of a participant's records. */
export type RecordPlace = { dataset: string; day: string; _id: string }
const BEGINNING: RecordPlace = { dataset: '', day: '', _id: '' }

/** The records of a participant in the order of dataset, day and `_id`, after a place. */
export function recordsOf(
  db: Db,
  participant: Id,
  {
    dataset,
    limit,
    after = BEGINNING,
  }: { dataset?: Dataset | undefined; limit: number; after?: RecordPlace | undefined },
): HardwareRow[] {
  const only = dataset === undefined ? '' : 'AND dataset = +$only'
  return rowsFrom(
    db,
    hardwareRecords,
    `WHERE participant = +$participant ${only} AND (dataset, day, _id) > ($dataset, $day, $_id)
     ORDER BY dataset, day, _id LIMIT +$limit`,
    { participant, limit, ...after, ...(dataset === undefined ? {} : { only: dataset }) },
  )
}

/** The stored record that the provider knows by this key. */
export const recordByKey = (
  db: Db,
  at: { participant: Id; service: HardwareService; dataset: Dataset; key: string },
): HardwareRow | undefined => rowWhere(db, hardwareRecords, at)

export const insertRecord = (db: Db, row: typeof hardwareRecords.$inferInsert) => insert(db, hardwareRecords, row)

export const changeRecord = (db: Db, _id: Id, change: Partial<HardwareRow>) =>
  updateById(db, hardwareRecords, _id, change)

export const connectionOf = (db: Db, participant: Id, service: Service): ConnectionRow | undefined =>
  rowWhere(db, wearableConnections, { participant, service })

/** The connections of a participant, those that ended too. */
export const connectionsOf = (db: Db, participant: Id): ConnectionRow[] =>
  rowsFrom(db, wearableConnections, 'WHERE participant = +$participant ORDER BY service', { participant })

/** Saves a connection in place of an earlier one. */
export const putConnection = (db: Db, row: typeof wearableConnections.$inferInsert): void =>
  upsert(db, wearableConnections, row, 'participant', 'service')

/**
 * Changes a connection if its tokens are still of this version. Returns whether it did.
 * @param version undefined: whatever its tokens are
 */
export const changeConnection = (
  db: Db,
  { participant, service, version }: { participant: Id; service: Service; version?: number },
  change: Partial<ConnectionRow>,
): boolean =>
  updateWhere(
    db,
    wearableConnections,
    { participant, service, ...(version === undefined ? {} : { version }) },
    change,
  ) > 0

/** Connections that are due, the longest first. */
export const dueConnections = (db: Db, now: Instant, limit: number): ConnectionRow[] =>
  rowsFrom(db, wearableConnections, 'WHERE dueAt IS NOT NULL AND dueAt <= $now ORDER BY dueAt LIMIT +$limit', {
    now,
    limit,
  })

export const putSignIn = (db: Db, row: typeof wearableSignIns.$inferInsert): void =>
  upsert(db, wearableSignIns, row, 'participant', 'service')

export const signInOf = (db: Db, participant: Id, service: Service) =>
  rowWhere(db, wearableSignIns, { participant, service })

export const deleteSignIn = (db: Db, participant: Id, service: Service): void => {
  deleteWhere(db, wearableSignIns, { participant, service })
}
