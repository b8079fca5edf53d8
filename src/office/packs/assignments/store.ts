import type { Db } from '#db/open'
import { decodeRow } from '#db/rows'
import { packs } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { PackState } from '#office/packs/events/rules'
import { importCondition, type PackRow } from '#office/packs/store'

/** Where a pack is looked for: packs of a type that one place holds, and that these groups may get on this day. */
export type Stock = {
  packType: Id
  /** Null for trial level. */
  site: Id | null
  /** `YYYY-MM-DD`. */
  today: string
  /** The groups of the participant. */
  groups: readonly Id[]
  /** Packs that are chosen already. */
  except?: readonly Id[]
}

/** Returns a whole number from 0 up to, not including, `below`. */
export type Draw = (below: number) => number

const AT_PLACE = (site: Id | null) =>
  `p.packType = +$packType AND p.assignedToSite ${site === null ? 'IS NULL' : '= +$site'}`
/** The expiry date as the index has it: packs that do not expire come last. */
const EXPIRY = `coalesce(p.expiryDate, '9999-12-31')`
const UNEXPIRED = `${EXPIRY} >= +$today`
const NOT_EXCLUDED = 'p._id NOT IN (SELECT value FROM json_each($except))'
const FOR_GROUPS = `${NOT_EXCLUDED} AND (p.availableToAllGroups = 1 OR EXISTS (SELECT 1 FROM json_each(p.availableToGroups) AS each
  WHERE each.value IN (SELECT value FROM json_each($groups))))`

const placeOf = ({ packType, site }: Stock) => ({ packType, ...(site === null ? {} : { site }) })

/** The values of the conditions on packs that may be given out. @param today see `Stock` */
const valuesOf = (stock: Stock, today = stock.today) => ({
  ...placeOf(stock),
  today,
  groups: JSON.stringify(stock.groups),
  except: JSON.stringify(stock.except ?? []),
})

/** The pack to give out next: the earliest expiry date first, those without one last, then by name; undefined if none is left. */
export function nextInStock(db: Db, stock: Stock): PackRow | undefined {
  const row = db.$client
    .query<object, [Record<string, string>]>(
      `SELECT p.* FROM packs AS p INDEXED BY packsInStock
       WHERE p.state = 'inStock' AND ${AT_PLACE(stock.site)}${importCondition(db, 'p')} AND ${UNEXPIRED} AND ${FOR_GROUPS}
       ORDER BY ${EXPIRY}, coalesce(p.name, ''), p._id LIMIT 1`,
    )
    .get(valuesOf(stock))
  return row ? decodeRow(packs, row) : undefined
}

/** The earliest expiry date, from `stock.today` on, of the packs that may be given out; undefined if there is none. */
const earliestExpiry = (db: Db, stock: Stock): string | undefined =>
  db.$client
    .query<{ expiry: string }, [Record<string, string>]>(
      `SELECT ${EXPIRY} AS expiry FROM packs AS p INDEXED BY packsInStock
       WHERE p.state = 'inStock' AND ${AT_PLACE(stock.site)}${importCondition(db, 'p')} AND ${UNEXPIRED} AND ${FOR_GROUPS} ORDER BY ${EXPIRY} LIMIT 1`,
    )
    .get(valuesOf(stock))?.expiry

/** The earliest expiry date that available packs of all these types have; undefined if there is none. */
export function sharedExpiry(db: Db, stock: Omit<Stock, 'packType'>, types: readonly Id[]): string | undefined {
  let { today } = stock
  for (;;) {
    const earliest = types.map((packType) => earliestExpiry(db, { ...stock, packType, today }))
    const dates = earliest.filter((date) => date !== undefined).sort()
    if (dates.length < types.length) return undefined
    if (dates[0] === dates.at(-1)) return dates[0]
    today = dates.at(-1)!
  }
}

/**
 * Any of the packs that may be given out, each equally likely; undefined if none is left.
 * @param expiry only packs with this expiry date; undefined for all
 * @param draw returns a whole number from 0 up to, not including, `below`
 */
export function drawFromStock(db: Db, stock: Stock, expiry: string | undefined, draw: Draw): PackRow | undefined {
  const from = `FROM packs AS p INDEXED BY packsInStock
    WHERE p.state = 'inStock' AND ${AT_PLACE(stock.site)}${importCondition(db, 'p')} AND ${expiry === undefined ? UNEXPIRED : `${EXPIRY} = +$today`} AND ${FOR_GROUPS}`
  const values = valuesOf(stock, expiry)
  const { count } = db.$client
    .query<{ count: number }, [Record<string, string>]>(`SELECT count(*) AS count ${from}`)
    .get(values)!
  if (!count) return undefined
  const row = db.$client
    .query<object, [Record<string, string | number>]>(`SELECT p.* ${from} LIMIT 1 OFFSET +$skip + 0`)
    .get({ ...values, skip: draw(count) })
  return row ? decodeRow(packs, row) : undefined
}

/** Whether at least so many packs of the type may be given out there. @param count at least 1 */
export const hasInStock = (db: Db, stock: Stock, count: number): boolean =>
  db.$client
    .query<unknown, [Record<string, string | number>]>(
      `SELECT 1 FROM packs AS p INDEXED BY packsInStock
       WHERE p.state = 'inStock' AND ${AT_PLACE(stock.site)}${importCondition(db, 'p')} AND ${UNEXPIRED} AND ${FOR_GROUPS}
       LIMIT 1 OFFSET +$skip + 0`,
    )
    .get({ ...valuesOf(stock), skip: count - 1 }) !== null

/** The types whose packs a sealed randomisation gives: such a pack cannot be assigned by hand. */
export const randomisedTypes = (db: Db, types: readonly Id[]): Set<Id> =>
  new Set(
    db.$client
      .query<{ packType: Id }, [{ types: string }]>(
        `SELECT each.value AS packType FROM json_each($types) AS each WHERE EXISTS (
           SELECT 1 FROM randomisationArms AS arm JOIN randomisations AS r ON r._id = arm.randomisation
             WHERE arm.packType = each.value AND r.status <> 'draft')
         OR EXISTS (
           SELECT 1 FROM randomisationDispensing AS line JOIN randomisations AS r ON r._id = line.randomisation
             WHERE line.packType = each.value AND r.status <> 'draft')`,
      )
      .all({ types: JSON.stringify(types) })
      .map(({ packType }) => packType),
  )

/** How many packs of the type the place has in each state. */
export const statesAt = (db: Db, stock: Stock): Map<PackState, number> =>
  new Map(
    db.$client
      .query<{ state: PackState; count: number }, [Record<string, string>]>(
        `SELECT p.state, count(*) AS count FROM packs AS p INDEXED BY packsBySite
         WHERE ${AT_PLACE(stock.site)}${importCondition(db, 'p')} GROUP BY p.state`,
      )
      .all(placeOf(stock))
      .map(({ state, count }) => [state, count]),
  )

/** How many packs in stock there have expired. */
export const expiredAt = (db: Db, stock: Stock): number =>
  db.$client
    .query<{ count: number }, [Record<string, string>]>(
      `SELECT count(*) AS count FROM packs AS p INDEXED BY packsInStock
       WHERE p.state = 'inStock' AND ${AT_PLACE(stock.site)}${importCondition(db, 'p')} AND NOT ${UNEXPIRED}`,
    )
    .get({ ...placeOf(stock), today: stock.today })!.count
