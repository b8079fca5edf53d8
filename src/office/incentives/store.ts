import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { insert, rowsFrom, updateById, updateWhere } from '#db/rows'
import { incentiveOrders, incentives } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type IncentiveRow = typeof incentives.$inferSelect
export type OrderRow = typeof incentiveOrders.$inferSelect

export const insertIncentive = (db: Db, row: typeof incentives.$inferInsert): IncentiveRow =>
  insert(db, incentives, row)

export const changeIncentive = (db: Db, _id: Id, change: Partial<IncentiveRow>): IncentiveRow =>
  updateById(db, incentives, _id, change)

/** Ends an incentive for which nothing is paid. The limits of its rule do not count it. */
export function failIncentive(db: Db, { _id, rule }: IncentiveRow, detail: string): IncentiveRow {
  if (rule !== null)
    db.$client
      .query<unknown, [{ rule: string }]>('UPDATE incentiveRules SET payments = payments - 1 WHERE _id = +$rule')
      .run({ rule })
  return changeIncentive(db, _id, { status: 'failed', waitsFor: null, detail })
}

/** Greater than every `_id`. */
const END = 'z'

/** What a participant got, newest first, after that one. */
export const incentivesOf = (db: Db, participant: Id, after: Id | undefined, limit: number): IncentiveRow[] =>
  rowsFrom(db, incentives, 'WHERE participant = +$participant AND _id < $after ORDER BY _id DESC LIMIT +$limit', {
    participant,
    after: after ?? END,
    limit,
  })

/** The same, without what the participant will not get. */
export const ownIncentivesOf = (db: Db, participant: Id, after: Id | undefined, limit: number): IncentiveRow[] =>
  rowsFrom(
    db,
    incentives,
    `WHERE participant = +$participant AND _id < $after AND status NOT IN ('failed', 'reversed') ORDER BY _id DESC LIMIT +$limit`,
    { participant, after: after ?? END, limit },
  )

/** What the participants of a trial got, of one status if it is given, newest first, after that one. */
export const incentivesIn = (
  db: Db,
  trial: Id,
  status: IncentiveRow['status'] | undefined,
  after: Id | undefined,
  limit: number,
): IncentiveRow[] => {
  const where = { trial, after: after ?? END, limit }
  const rest = `AND _id < $after AND NOT ${isBeingDeleted('participant')} ORDER BY _id DESC LIMIT +$limit`
  return status === undefined
    ? rowsFrom(db, incentives, `WHERE trial = +$trial ${rest}`, where)
    : rowsFrom(db, incentives, `WHERE trial = +$trial AND status = +$status ${rest}`, { ...where, status })
}

/** The next 500 incentives of a trial after that one, oldest first. */
export const incentivesAfter = (db: Db, trial: Id, after: string): IncentiveRow[] =>
  rowsFrom(db, incentives, 'WHERE trial = +$trial AND _id > $after ORDER BY _id LIMIT 500', { trial, after })

export const insertOrder = (db: Db, row: typeof incentiveOrders.$inferInsert): OrderRow =>
  insert(db, incentiveOrders, row)

/** The order that has been due the longest; undefined if none is due. */
export const dueOrder = (db: Db, now: Instant): OrderRow | undefined =>
  rowsFrom(db, incentiveOrders, 'WHERE dueAt IS NOT NULL AND dueAt <= $now ORDER BY dueAt LIMIT 1', { now })[0]

export const changeOrder = (db: Db, _id: Id, change: Partial<OrderRow>): number =>
  updateWhere(db, incentiveOrders, { _id }, change)
