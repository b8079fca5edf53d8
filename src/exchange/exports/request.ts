/** What an export is asked for: parameters that do not fit together are refused, filters are resolved. See docs/exports.md. */

import { isConcealed } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import { facet } from '#conduct/participants/rules'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { groups as groupTable, sites as siteTable } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { Trial } from '#design/trials/store'
import { dayNumber } from '#kernel/calendar'
import { type Id, isId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { DAY } from '#kernel/time'
import { instantOf, zoneOf } from '#kernel/zones'
import type { ExportQuery, ExportRequest } from './model'
import { type ExportTask, type Filters, isOfResponses, statisticsTypes, statuses } from './task'

/** Makes the refusal of a parameter, or of a field of the body. */
export type MakeRefusal = (field: string, problem: Reason) => Error

/** The refusal (422) of a parameter of a query. */
export const queryRefusal: MakeRefusal = (field, problem) => refuse.invalid({ [field]: [problem] }, 'query')

/** The refusal (422) of a field of the body. */
export const bodyRefusal: MakeRefusal = (field, problem) => refuse.invalid({ settings: [at(field, problem)] })

/** The refusal (400) of a saved export that does not fit any more. */
export const definitionRefusal: MakeRefusal = (field, problem) => refuse.bad('savedExportUnfit', { field, problem })

const splitList = (text: string): string[] => [...new Set(text.split(',').map((each) => each.trim()))]

function idsIn(field: string, text: string | undefined): Id[] | undefined {
  if (text === undefined) return undefined
  const ids = splitList(text)
  if (!ids.every(isId)) throw queryRefusal(field, reason('notIdList'))
  return ids
}

function statusIn(text: string | undefined): ExportRequest['status'] {
  if (text === undefined) return undefined
  return splitList(text).map((each) => {
    const status = statuses.find((known) => known === each)
    if (!status) throw queryRefusal('status', reason('notListOf', { words: statuses }))
    return status
  })
}

type Query = Omit<ExportQuery, 'definition' | 'dataset'> & Pick<ExportRequest, 'dataset'>

/** What the query of an export asks for. @throws 422 if a list is not one */
export function exportRequestOf({ stages, sites, groups, status, ...rest }: Query): ExportRequest {
  const lists = { stages: idsIn('stages', stages), sites: idsIn('sites', sites), groups: idsIn('groups', groups) }
  return withoutUnset({ ...rest, ...lists, status: statusIn(status) })
}

const withoutUnset = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

/** The formats that are tables of cells, whose form can be chosen, and those that are tables. */
const cellFormats: readonly (ExportTask['format'] | undefined)[] = ['csv', 'excel']
const tableFormats: readonly (ExportTask['format'] | undefined)[] = [...cellFormats, ...statisticsTypes]

const cellFields = ['columns', 'values'] as const
const tableFields = [...cellFields, 'shape'] as const
const flagNames = ['isWithdrawn', 'isUnallocated', 'hasJoined', 'isBehindSchedule'] as const
const responseFields = [...tableFields, 'table', 'stages', 'from', 'to', 'status', ...flagNames] as const

/** Refuses what does not fit together. */
export function checkExportRequest(request: ExportRequest, refusal: MakeRefusal): void {
  const { type, dataset = 'stage', shape, table, from, to } = request
  if (!isOfResponses(dataset)) {
    const misplacedField = responseFields.find((field) => request[field] !== undefined)
    if (type !== 'csv' || misplacedField !== undefined)
      throw refusal('dataset', reason('datasetWithout', { type: 'csv', field: misplacedField ?? 'columns' }))
  }
  const field = cellFields.find((each) => request[each] !== undefined)
  if (field && !cellFormats.includes(type)) throw refusal(field, reason('onlyOfCells', { field }))
  if (shape && !tableFormats.includes(type)) throw refusal('shape', reason('shapeOfTables'))
  if (isOfResponses(dataset) && dataset !== 'stage' && !tableFormats.includes(type))
    throw refusal('dataset', reason('datasetIsTable'))
  if (request.escape !== undefined && type !== 'csv') throw refusal('escape', reason('onlyCsvEscaped'))
  if (request.history !== undefined && type !== 'pdf' && type !== 'odm')
    throw refusal('history', reason('historyOfOtherType'))
  if (request.odmVersion !== undefined && type !== 'odm') throw refusal('odmVersion', reason('onlyForOdm'))
  if (shape !== undefined && dataset !== 'stage' && dataset !== 'codebook')
    throw refusal('shape', reason('datasetWithoutShape'))
  if (table !== undefined && dataset !== 'table') throw refusal('table', reason('onlyForTables'))
  if (dataset === 'table' && type === 'csv' && table === undefined) throw refusal('table', reason('csvOfOneTable'))
  if (from !== undefined && to !== undefined && to < from) throw refusal('to', reason('endsBeforeFrom'))
}

type Reader = { db: Db; trial: Trial; access: Access }

/**
 * The filters of an export. What the reader may not see is refused as what does not exist: stages, sites, groups, a table.
 * @throws the refusal
 */
export function filtersOf(
  reader: Reader,
  request: Omit<ExportRequest, 'type'>,
  refusal: MakeRefusal,
): Filters | undefined {
  const { db, trial, access } = reader
  const { stages, sites, groups, status, from, to, table } = request
  const known = configuration(db, trial)
  const isHidden = hiddenFrom(known, access, { sites: [...access.places.keys()], groups: [...access.places.keys()] })
  requireKnown('stage', stages, refusal, (_id) => known.stages.has(_id))
  requireKnown('site', sites, refusal, (_id) => isPlace(reader, 'site', _id))
  requireKnown('group', groups, refusal, (_id) => isPlace(reader, 'group', _id))
  const isTable = (_id: Id) => known.dataTypes.get(_id)?.format === 'table' && !isHidden(_id)
  requireKnown('table', table === undefined ? undefined : [table], refusal, isTable)
  const zone = zoneOf(trial.timezone ?? 'UTC')
  const startOf = (day: string | undefined, later = 0) => {
    const number = day === undefined ? undefined : dayNumber(day)
    return number === undefined ? undefined : instantOf(zone, (number + later) * DAY)
  }
  const filters = {
    stages,
    sites,
    groups,
    status,
    from: startOf(from),
    before: startOf(to, 1),
    flags: flagsOf(request),
  }
  return Object.values(filters).every((value) => value === undefined) ? undefined : filters
}

const unknownPlaces = {
  stage: 'noStageWithId',
  site: 'noSiteWithId',
  group: 'noGroupWithId',
  table: 'noTableWithId',
} as const

function requireKnown(
  noun: keyof typeof unknownPlaces,
  ids: readonly Id[] | undefined,
  refusal: MakeRefusal,
  isKnown: (_id: Id) => boolean,
) {
  const missing = ids?.find((_id) => !isKnown(_id))
  if (missing !== undefined)
    throw refusal(noun === 'table' ? noun : `${noun}s`, reason(unknownPlaces[noun], { id: missing }))
}

function isPlace({ db, trial, access }: Reader, kind: 'site' | 'group', _id: Id): boolean {
  const row = kind === 'site' ? rowById(db, siteTable, _id) : rowById(db, groupTable, _id)
  const isShown = kind === 'site' || !isConcealed(db, 'group', _id)
  return row?.trial === trial._id && isShown && placeVisibleTo(access, kind, _id)
}

const bits = {
  isWithdrawn: facet.withdrawn,
  isUnallocated: facet.unallocated,
  hasJoined: facet.joined,
  isBehindSchedule: facet.behind,
}

function flagsOf(request: Pick<ExportRequest, (typeof flagNames)[number]>): Filters['flags'] {
  const set = flagNames.filter((name) => request[name] !== undefined)
  if (!set.length) return undefined
  const sum = (names: readonly (typeof flagNames)[number][]) => names.reduce((all, name) => all | bits[name], 0)
  return { mask: sum(set), bits: sum(set.filter((name) => request[name])) }
}

/** What the log says of an export, besides its format and rows: what was asked for. */
export const eventOf = ({ type: _, dataset = 'stage', ...request }: ExportRequest) => ({ dataset, ...request })
