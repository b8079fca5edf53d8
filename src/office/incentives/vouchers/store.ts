import type { Db } from '#db/open'
import { deleteWhere, insertNew, rowWhere } from '#db/rows'
import { voucherCodes } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Whether a code has this hash. */
export const hasCode = (db: Db, hash: string): boolean => rowWhere(db, voucherCodes, { hash }) !== undefined

/** Inserts a code unless the team has it already; returns whether it did. */
export const insertCode = (db: Db, row: typeof voucherCodes.$inferInsert): boolean => insertNew(db, voucherCodes, row)

/** Deletes the codes of a brand that were not drawn, those of one load if its moment is given. Returns how many. */
export const deleteCodes = (db: Db, brand: Id, createdAt: Instant | undefined): number =>
  deleteWhere(db, voucherCodes, { brand, createdAt, incentive: null })
