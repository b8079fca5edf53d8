/** Makes what was made with an earlier key anew with the current one, in steps: a kill at any moment loses nothing. */
import { recordRemainingChanges } from '#audit/append'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import type { Keys } from '#kernel/keyring'
import { createSeal, type Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'
import { keyedColumns } from './keyedColumns'
import { replaceIn, rowsIn, type SecretColumn, type SecretRow } from './store'

/** Values in one transaction. */
const STEP = 500

export const columnName = ({ table, column }: SecretColumn): string => `${table}.${column}`

/** How many values are now made with the current key, and how many cannot be read with any, by place. */
export type RenewalResult = { renewed: number; unreadable: ReadonlyMap<string, number> }

/** Makes all values anew that an earlier key made. */
export function renewAll(db: Db, seal: Seal, current: number, now: Instant): RenewalResult {
  const unreadable = new Map<string, number>()
  let renewed = 0
  for (const place of keyedColumns) {
    const old = rowsIn(db, place).filter((row) => ![undefined, current].includes(place.version(row)))
    const renew = (row: SecretRow) => {
      try {
        if (replaceIn(db, place, row, place.renew(row, seal))) renewed++
      } catch (reason) {
        if (reason instanceof Error && 'errno' in reason) throw reason // the database refused it
        unreadable.set(columnName(place), (unreadable.get(columnName(place)) ?? 0) + 1)
      }
    }
    for (let at = 0; at < old.length; at += STEP)
      runInTransaction(db, () => {
        for (const row of old.slice(at, at + STEP)) renew(row)
        recordRemainingChanges(db, now)
      })
  }
  return { renewed, unreadable }
}

/** How many values there are, and how many of them no key opens, by place. */
export function unreadableIn(db: Db, keys: Keys) {
  const seal = createSeal(keys)
  const unreadable = new Map<string, number>()
  let all = 0
  for (const place of keyedColumns)
    for (const row of rowsIn(db, place)) {
      if (place.version(row) === undefined) continue
      all++
      try {
        place.renew(row, seal)
      } catch {
        unreadable.set(columnName(place), (unreadable.get(columnName(place)) ?? 0) + 1)
      }
    }
  return { all, unreadable }
}
