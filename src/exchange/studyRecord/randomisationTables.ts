/** The tables of a study record about randomisations. Concealed arms are in them only for readers who see arms. */
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { groupsOf } from '#design/groups/store'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { allocationsAfter } from '#office/allocations/store'
import { allocationViewer } from '#office/allocations/view'
import { dispensationsAfter } from '#office/dispensations/store'
import { dispensationViewer } from '#office/dispensations/view'
import { namesIn } from '#office/packs/records/sheets'
import { userNamesOf } from '#office/packs/records/store'
import { revealedList } from '#office/randomisation/seal'
import { type ArmRow, armsOf, type RandomisationRow, randomisationsOf } from '#office/randomisation/store'
import { areArmsVisibleTo } from '#office/randomisation/view'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'

const STEP = 500

const moment = (at: Instant | null): Cell => (at === null ? null : { at })

const RANDOMISATIONS = [
  ...['name', 'status', 'method', 'isBlinded', 'arms', 'commitment', 'sealedAt', 'sealedBy', 'closedAt', 'unblindedAt'],
  ...['requiresConsent', 'createdAt', 'createdBy', '_id', 'dispensing'],
]

/** What the arms dispense at a time, in a line of text. */
const planText = (arms: readonly ArmRow[], types: ReadonlyMap<Id, string>): string =>
  arms
    .flatMap(({ name, dispensing }) =>
      dispensing.map(({ doseLevel, packType, quantity }) => {
        const level = doseLevel === null ? '' : ` at ${doseLevel}`
        return `${name}: ${quantity} of ${types.get(packType) ?? packType}${level}`
      }),
    )
    .join('; ')

function* randomisationRows(
  db: Db,
  { _id: trial }: Trial,
  access: Access,
  rows: readonly RandomisationRow[],
): Generator<Cell[]> {
  const { types } = namesIn(db, trial)
  const people = userNamesOf(
    db,
    rows.flatMap(({ createdBy, sealedBy }) => [createdBy, ...(sealedBy === null ? [] : [sealedBy])]),
  )
  for (const row of rows) {
    const { _id, name, status, method, isBlinded, commitment, sealedBy } = row
    const arms = areArmsVisibleTo(access, row) ? armsOf(db, _id) : undefined
    const shown = arms?.map((arm) => `${arm.name} (${arm.ratio})`).join('; ')
    yield [
      ...[name, status, method, isBlinded, shown ?? null, commitment],
      ...[moment(row.sealedAt), sealedBy && people.get(sealedBy), moment(row.closedAt), moment(row.unblindedAt)],
      ...[row.requiresConsent?.join(', ') ?? null, moment(row.createdAt), people.get(row.createdBy), _id],
      arms ? planText(arms, types) || null : null,
    ]
  }
}

const ALLOCATIONS = [
  ...['randomisation', 'number', 'createdAt', 'createdBy', 'participantId', 'site', 'pack', 'arm', 'group', 'packType'],
  ...['stratum', 'unblindedAt', '_id'],
]

/** The allocations of a randomisation in their order, in the order of `ALLOCATIONS`. */
function* allocationRows(db: Db, trial: Trial, access: Access, randomisation: RandomisationRow): Generator<Cell[]> {
  const { _id, name } = randomisation
  const { types, sites } = namesIn(db, trial._id)
  const groups = new Map(groupsOf(db, trial._id, 'all', true).map((group) => [group._id, group.name]))
  const view = allocationViewer({ db, trial, access, randomisation })
  const named = (names: ReadonlyMap<Id, string>, each: Id | null | undefined) => each && (names.get(each) ?? each)
  for (let after = 0; ; ) {
    const rows = allocationsAfter(db, { randomisation: _id, scope: 'all', after }, STEP)
    const people = userNamesOf(db, [...new Set(rows.map(({ createdBy }) => createdBy))])
    for (const row of rows) {
      const { number, participantId, pack, armName, group, packType, stratum } = {
        ...{ armName: null, group: null, packType: null, stratum: undefined },
        ...view(row),
      }
      yield [
        ...[name, number, moment(row.createdAt), people.get(row.createdBy), participantId, named(sites, row.site)],
        ...[pack && (pack.name ?? pack._id), armName, named(groups, group), named(types, packType)],
        ...[stratum && JSON.stringify(stratum), moment(row.unblindedAt), row._id],
      ]
    }
    if (rows.length < STEP) return
    after = rows.at(-1)!.number
  }
}

const DISPENSATIONS = [
  ...['randomisation', 'number', 'createdAt', 'createdBy', 'participantId', 'site', 'pack', 'packId', 'doseLevel'],
  ...['quantity', 'replaces', 'reason', 'arm', 'packType', '_id'],
]

/** The dispensations of a randomisation in their order, a row for each pack, in the order of `DISPENSATIONS`. */
function* dispensationRows(db: Db, trial: Trial, access: Access, randomisation: RandomisationRow): Generator<Cell[]> {
  const { _id, name } = randomisation
  const { types, sites } = namesIn(db, trial._id)
  const view = dispensationViewer({ db, access, randomisation })
  for (let after = 0; ; ) {
    const rows = dispensationsAfter(db, { randomisation: _id, scope: 'all', after }, STEP)
    const people = userNamesOf(db, [...new Set(rows.map(({ createdBy }) => createdBy))])
    for (const row of rows) {
      const { number, participantId, site, packs, doseLevel, quantity, replaces, reason, armName = null } = view(row)
      for (const pack of packs) {
        yield [
          ...[name, number, moment(row.createdAt), people.get(row.createdBy), participantId],
          ...[site && (sites.get(site) ?? site), pack.name, pack._id, doseLevel, quantity],
          ...[replaces && (replaces.name ?? replaces._id), reason, armName],
          ...[pack.packType === undefined ? null : (types.get(pack.packType) ?? pack.packType), row._id],
        ]
      }
    }
    if (rows.length < STEP) return
    after = rows.at(-1)!.number
  }
}

/**
 * The randomisations of a trial with their commitments, all allocations and dispensations; nothing if there is none. `documents`: the committed document
 * of each that is unblinded, by name; before, the record of an admin must not tell the next arms.
 */
export function randomisationTables(
  db: Db,
  trial: Trial,
  access: Access,
): { sheets: Sheet[]; documents: [string, string][] } {
  const rows = randomisationsOf(db, trial._id)
  if (!rows.length) return { sheets: [], documents: [] }
  function* allocated() {
    for (const row of rows) yield* allocationRows(db, trial, access, row)
  }
  function* dispensed() {
    for (const row of rows) yield* dispensationRows(db, trial, access, row)
  }
  return {
    sheets: [
      sheet('randomisations', RANDOMISATIONS, randomisationRows(db, trial, access, rows)),
      sheet('allocations', ALLOCATIONS, allocated()),
      sheet('dispensations', DISPENSATIONS, dispensed()),
    ],
    documents: rows.flatMap((row) =>
      row.unblindedAt === null ? [] : [[row._id, revealedList(db, row).document] as [string, string]],
    ),
  }
}
