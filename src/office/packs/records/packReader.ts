/** Packs from a csv: all rows or none (docs/packs.md, "Import and export"). */
import type { Access, VisibleScope } from '#access/caller'
import { groupScopeOf } from '#access/places'
import type { Db } from '#db/open'
import { groupsOf } from '#design/groups/store'
import { sitesOf } from '#design/sites/store'
import type { NumberedRow } from '#documents/numberedRow'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { isDay, parseInstant } from '#kernel/time'
import type { NewPack } from '#office/packs/change'
import { checks, headerOf } from '#office/packs/types/rules'
import { type PackTypeRow, packTypesFor } from '#office/packs/types/store'
import { problemList } from './csvProblems'

/** What a cell sets in a pack, or what is wrong with it. */
type CellResult = { cellChange: (pack: NewPack) => void } | { problem: Reason }
type Column = (text: string) => CellResult

const cellChange = (change: (pack: NewPack) => void): CellResult => ({ cellChange: change })
const cellProblem = (problem: Reason): CellResult => ({ problem })

const textColumn =
  (field: 'name' | 'batchNumber', most: number): Column =>
  (text) =>
    text.length > most
      ? cellProblem(reason('tooLong', { count: most }))
      : cellChange((pack) => {
          pack[field] = text
        })

const dayColumn: Column = (text) =>
  isDay(text)
    ? cellChange((pack) => {
        pack.expiryDate = text
      })
    : cellProblem(reason('notDay'))

const momentColumn: Column = (text) => {
  const at = parseInstant(text)
  return at === undefined
    ? cellProblem(reason('notMoment'))
    : cellChange((pack) => {
        pack.receivedAt = at
      })
}

const foldText = (text: string) => text.normalize('NFC').trim().toLowerCase()

const siteColumn =
  (sites: ReadonlyMap<string, Id>): Column =>
  (text) => {
    const site = sites.get(foldText(text))
    return site === undefined
      ? cellProblem(reason('noSiteCalled', { site: text }))
      : cellChange((pack) => {
          pack.assignedToSite = site
        })
  }

const groupsColumn =
  (groups: ReadonlyMap<string, Id>): Column =>
  (text) => {
    const names = text.split(';').filter((name) => name.trim() !== '')
    const unknown = names.find((name) => !groups.has(foldText(name)))
    return unknown === undefined
      ? cellChange((pack) => {
          pack.availableToGroups = names.map((name) => groups.get(foldText(name))!)
        })
      : cellProblem(reason('noGroupCalled', { group: unknown.trim() }))
  }

const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  '1': true,
  '0': false,
}

/** The JSON value that the text of a cell means. */
function jsonOf(type: PackTypeRow['extendedFields'][number]['type'], text: string): unknown {
  if (type === 'boolean') return FLAGS[foldText(text)] ?? text
  const isNumber = (type === 'integer' || type === 'float') && /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)
  return isNumber ? Number(text) : text
}

const extendedColumn =
  ({ key, type }: PackTypeRow['extendedFields'][number]): Column =>
  (text) => {
    const checked = checks[type](jsonOf(type, text))
    return 'problem' in checked
      ? cellProblem(checked.problem)
      : cellChange((pack) => {
          pack.extended = { ...pack.extended, [key]: checked.value }
        })
  }

type ImportContext = { db: Db; trial: { _id: Id }; access: Access }

/** The sites that a caller may see; `requirePlaces` then asks whether they may write there. */
const visibleSites = ({ trial, places }: Access): VisibleScope =>
  trial.size ? 'all' : { sites: [...places.keys()], groups: [] }

/** The values by the folded name of what has them; two of one name cannot be told apart. */
function byName<T>(list: readonly T[], nameOf: (each: T) => string): Map<string, T> {
  const named = Map.groupBy(list, (each) => foldText(nameOf(each)))
  return new Map(
    [...named].flatMap(([name, [one, ...others]]) => (one && !others.length ? [[name, one] as const] : [])),
  )
}

/** The columns that packs of a type have in a csv, by header without case. */
function columnsFor({ db, trial: { _id: trial }, access }: ImportContext, types: readonly PackTypeRow[]) {
  const sites = new Map(sitesOf(db, trial, visibleSites(access)).map(({ _id, id }) => [foldText(id), _id]))
  const named = byName(groupsOf(db, trial, groupScopeOf(access)), ({ name }) => name)
  const groups = new Map([...named].map(([name, { _id }]) => [name, _id]))
  const standard = new Map<string, Column>([
    ['name', textColumn('name', 200)],
    ['batchNumber', textColumn('batchNumber', 100)],
  ])
  const columnsOf = (type: PackTypeRow) =>
    new Map<string, Column>([
      ...type.extendedFields.map((field) => [foldText(headerOf(field)), extendedColumn(field)] as const),
      ...type.standardFields.map((field) => [foldText(field), standard.get(field)!] as const),
      ['expirydate', dayColumn],
      ['receivedat', momentColumn],
      ['site', siteColumn(sites)],
      ['groups', groupsColumn(groups)],
    ])
  return new Map(types.map((type) => [type._id, columnsOf(type)]))
}

/** The place of the column `packType`, which a csv of several types has, and the types that a row may name. */
function typesIn({ db, trial, access }: ImportContext, headers: readonly string[], type: PackTypeRow | undefined) {
  if (type) return { at: -1, types: [type], typeOf: () => type }
  const types = packTypesFor(db, trial._id, access)
  const named = byName(types, ({ name }) => name)
  const at = headers.indexOf('packtype')
  if (at < 0) throw refuse.invalid({ packType: [reason('packTypeNotNamed')] })
  const typeOf = (text: string) => named.get(foldText(text)) ?? types.find(({ _id }) => _id === text)
  return { at, types, typeOf }
}

/** Reads the rows of a csv one by one. A blank cell sets nothing. */
export type PackReader = {
  /** The pack of a row with its type; undefined if something is wrong with it. */
  read(row: NumberedRow): { type: PackTypeRow; pack: NewPack } | undefined
  /** Adds a problem of a line that was found later. */
  add(line: number, problem: Reason, column?: string): void
  /** Refuses (422) with the line and column of each problem, if there is any. */
  refuseAny(): void
}

/**
 * A reader of the rows of a csv with these headers.
 * @param single the type of all packs; without it, the column `packType` has the name or `_id` of each
 * @throws 422 for headers that say nothing, or twice the same
 */
export function packReader(
  context: ImportContext,
  single: PackTypeRow | undefined,
  shownHeaders: readonly string[],
): PackReader {
  const problems = problemList()
  const headers = shownHeaders.map(foldText)
  const { at: typeAt, types, typeOf } = typesIn(context, headers, single)
  const columns = columnsFor(context, types)
  const isKnown = (header: string) => [...columns.values()].some((known) => known.has(header))
  for (const [at, header] of headers.entries()) {
    if (at !== typeAt && !isKnown(header)) problems.add(1, reason('noColumnCalled', { column: shownHeaders[at]! }))
    else if (headers.indexOf(header) < at) problems.add(1, reason('columnTwice', { column: shownHeaders[at]! }))
  }
  if (!headers.length) problems.add(1, reason('noHeaders'))
  problems.refuseAny()
  function read({ line, cells }: NumberedRow) {
    if (cells.length > headers.length)
      problems.add(line, reason('tooManyCells', { cells: cells.length, count: headers.length }))
    const texts = headers.map((_, at) => cells[at]?.trim() ?? '')
    const type = typeOf(texts[typeAt] ?? '')
    if (!type) {
      problems.add(line, reason('noPackTypeCalled', { type: texts[typeAt] ?? '' }), shownHeaders[typeAt])
      return undefined
    }
    const pack: NewPack = {}
    for (const [at, text] of texts.entries()) {
      if (text === '' || at === typeAt) continue
      const column = columns.get(type._id)!.get(headers[at]!)
      const result = column ? column(text) : cellProblem(reason('fieldOfOtherType', { type: type.name }))
      if ('problem' in result) problems.add(line, result.problem, shownHeaders[at])
      else result.cellChange(pack)
    }
    return { type, pack }
  }
  return { ...problems, read }
}
