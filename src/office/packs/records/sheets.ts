/** Packs and their accountability as tables. */
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { groupsOf } from '#design/groups/store'
import { sitesOf } from '#design/sites/store'
import type { Id } from '#kernel/id'
import { findPacks, type PackSearch } from '#office/packs/listStore'
import { packsById } from '#office/packs/store'
import { headerOf } from '#office/packs/types/rules'
import { packTypesFor, packTypesOf } from '#office/packs/types/store'
import { packViews } from '#office/packs/view'
import type { Cell, Sheet } from '#writers/cell'
import { type AccountFilter, allLines, balancesFor } from './account'
import { hasArms } from './arms'
import type { Balance, Line } from './model'
import { participantIdsOf } from './store'

const STEP = 500

/** The names that a file shows in place of `_id`s. */
export type Names = { types: ReadonlyMap<Id, string>; sites: ReadonlyMap<Id, string> }

export const namesIn = (db: Db, trial: Id): Names => ({
  types: new Map(packTypesOf(db, trial).map(({ _id, name }) => [_id, name])),
  sites: new Map(sitesOf(db, trial, 'all').map(({ _id, id }) => [_id, id])),
})

const moment = (at: number | null): Cell => (at === null ? null : { at })
const day = (text: string | null): Cell => (text === null ? null : { day: text })

const PACK_COLUMNS = [
  ...['_id', 'packType', 'name', 'batchNumber', 'expiryDate', 'site', 'groups', 'state', 'participantId'],
  ...['assignedAt', 'unitsReturned', 'createdAt'],
]

/** The packs of a search with a column for each extended field of their types, read in steps while they are written. */
export function packSheet(db: Db, access: Access, search: PackSearch): Sheet {
  const { types, sites } = namesIn(db, search.trial)
  const groups = new Map(groupsOf(db, search.trial, 'all').map(({ _id, name }) => [_id, name]))
  const fields = packTypesFor(db, search.trial, access).filter(({ _id }) => search.types.includes(_id))
  const keys = [...new Set(fields.flatMap(({ extendedFields }) => extendedFields.map(({ key }) => key)))]
  const headers = keys.map((key) => headerOf({ key }))
  function* rows(): Generator<Cell[]> {
    for (let after: readonly string[] | undefined; ; ) {
      const found = findPacks(db, search, STEP, after)
      const packs = packViews(
        db,
        access,
        packsById(
          db,
          found.map(({ _id }) => _id),
        ),
      )
      const ids = participantIdsOf(db, [...new Set(packs.flatMap(({ participant }) => participant ?? []))])
      for (const pack of packs) {
        const { assignedToSite: site, participant, extended } = pack
        yield [
          ...[pack._id, pack.packType && types.get(pack.packType), pack.name, pack.batchNumber, day(pack.expiryDate)],
          ...[
            site === null ? null : sites.get(site),
            pack.availableToAllGroups ? null : groupNames(pack.availableToGroups),
          ],
          ...[pack.state, participant ? ids.get(participant) : null, moment(pack.assignedAt), pack.unitsReturned],
          ...[moment(pack.createdAt), ...keys.map((key) => extended[key] ?? null)],
        ]
      }
      if (found.length < STEP) return
      after = found.at(-1)!.place
    }
  }
  const groupNames = (ids: readonly Id[]) => ids.map((_id) => groups.get(_id) ?? _id).join('; ')
  return { name: 'packs', columns: [...PACK_COLUMNS, ...headers].map((header) => ({ header })), rows: rows() }
}

const LINE_COLUMNS = [
  ...['_id', 'packType', 'name', 'batchNumber', 'expiryDate', 'site', 'state', 'receivedAt', 'receivedBy', 'movedAt'],
  ...['participantId', 'dispensedAt', 'dispensedBy', 'returnedAt', 'returnedBy', 'unitsReturned', 'excursions'],
  ...['lostAt', 'damagedAt', 'destroyedAt', 'destroyedBy'],
]

/** The columns of readers who see arms, in a trial whose packs go by them. */
const ARM_COLUMNS = ['arm', 'isOfArm']

const cellsOf = (line: Line, { types, sites }: Names): Cell[] => [
  ...[line.pack, line.packType && types.get(line.packType), line.name, line.batchNumber, day(line.expiryDate)],
  ...[line.site === null ? null : sites.get(line.site), line.state, moment(line.receivedAt), line.receivedBy],
  ...[moment(line.movedAt), line.participantId, moment(line.dispensedAt), line.dispensedBy, moment(line.returnedAt)],
  ...[line.returnedBy, line.unitsReturned, line.excursions, moment(line.lostAt), moment(line.damagedAt)],
  ...[moment(line.destroyedAt), line.destroyedBy],
]

/** The accountability log as a table, read in steps while it is written. */
export function accountSheet(db: Db, access: Access, filter: AccountFilter): Sheet {
  const names = namesIn(db, filter.trial)
  const withArms = hasArms(db, filter.trial, access)
  function* rows(): Generator<Cell[]> {
    for (const line of allLines(db, access, filter))
      yield [...cellsOf(line, names), ...(withArms ? [line.armName ?? null, line.isOfArm ?? null] : [])]
  }
  const headers = [...LINE_COLUMNS, ...(withArms ? ARM_COLUMNS : [])]
  return { name: 'accountability', columns: headers.map((header) => ({ header })), rows: rows() }
}

/** What the PDF shows. */
export type Account = { balances: Balance[]; lines: Line[]; names: Names }

/** The log in whole; undefined if it has more than `most` lines. */
export function accountOf(db: Db, access: Access, filter: AccountFilter, most: number): Account | undefined {
  const lines: Line[] = []
  for (const line of allLines(db, access, filter)) {
    if (lines.length === most) return undefined
    lines.push(line)
  }
  return { balances: balancesFor(db, access, filter), lines, names: namesIn(db, filter.trial) }
}
