/** Responses as tables: one row per response, with columns for the participant and for every data type. */

import { isScoreHidden } from '#conduct/responses/read'
import { layoutById } from '#conduct/responses/store'
import { occurrenceName } from '#design/schedule/occurrences'
import type { StageRow } from '#design/stages/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Cell, momentText, type Sheet } from '#writers/cell'
import { type Column, type ColumnForm, columnsOf, type Exportable, uniqueHeaders } from './columns'
import { type ExportContext, visibleFields } from './context'
import { narrowPages } from './pages'
import type { NarrowRow } from './store'
import type { Visibility } from './visibility'

/** The first columns: the response and its participant. */
const identity = [
  'responseId',
  'participantId',
  'siteIds',
  'groups',
  'stage',
  'stageRecurrence',
  'createdAt',
  'updatedAt',
  'status',
  'score',
  'partialSubmission',
]

/** What a row needs of a response. */
const needed = [
  ...([
    'stageRecurrence',
    'createdAt',
    'updatedAt',
    'status',
    'score',
    'partialSubmission',
    'layout',
    'values',
  ] as const),
]
type TableRow = NarrowRow<(typeof needed)[number]>

/** The number of rows that were read so far. */
export type Count = { rows: number }

/** All stages in one table, in their order, with columns for each data type of the trial that the reader may see. */
export function trialTable(from: ExportContext, columns: ColumnForm['columns'], count: Count): Sheet {
  const dataTypes = new Set(from.stages.flatMap((stage) => visibleFields(from, stage._id)))
  for (const dataType of from.configuration.dataTypes.keys())
    if (!from.hiddenEverywhere(dataType)) dataTypes.add(dataType)
  return table(from, 'Responses', from.stages, [...dataTypes], { columns, realDates: false }, count)
}

/** One stage, with the data types that it asks or asked for earlier. */
export const stageTable = (from: ExportContext, stage: StageRow, form: ColumnForm, count: Count): Sheet =>
  table(from, stage.name, [stage], visibleFields(from, stage._id), form, count)

function table(
  from: ExportContext,
  name: string,
  stages: readonly StageRow[],
  dataTypes: readonly Id[],
  form: ColumnForm,
  count: Count,
): Sheet {
  const header = uniqueHeaders()
  const first = identity.map(header)
  const exportable = dataTypes.map((_id): Exportable => from.configuration.dataTypes.get(_id) ?? { _id, code: _id })
  const columns = columnsOf(exportable, form, header)
  return {
    name,
    columns: [...first, ...columns.map(({ header }) => header)].map((header) => ({ header })),
    rows: rows(from, stages, columns, count, form.realDates),
  }
}

function* rows(
  from: ExportContext,
  stages: readonly StageRow[],
  columns: readonly Column[],
  count: Count,
  realDates: boolean,
): Generator<Cell[]> {
  const names = from.placeNames
  const placeTexts = memoize((ids: string) =>
    ids
      .split(',')
      .map((id) => names.get(id) ?? id)
      .join('; '),
  )
  const positions = memoize((layout: string) => {
    const at = new Map(layoutById(from.db, layout).dataTypes.map((dataType, position) => [dataType, position]))
    return columns.map(({ dataType }) => at.get(dataType) ?? -1)
  })
  const masks = memoize((visibility: Visibility) => columns.map(({ dataType }) => visibility.hidden(dataType)))
  const cells = columns.map(({ cell }) => cell)
  const moment = (at: Instant): Cell => (realDates ? { at } : momentText(at))
  // One array for all rows, and text for moments: an object for each of them is a good part of the time.
  const line: Cell[] = Array.from({ length: identity.length + cells.length }, () => null)

  for (const stage of stages) {
    const stageName = memoize((n: number) => occurrenceName(stage, n))
    const scored = memoize(({ hidden }: Visibility) =>
      memoize((layout: string) => !isScoreHidden(from.configuration, stage._id, layoutById(from.db, layout), hidden)),
    )
    for (const page of narrowPages(from, stage._id, needed)) {
      for (const row of page) {
        const visibility = from.visibility(row)
        count.rows++
        yield filled(row, visibility)
      }
    }

    function filled(row: TableRow, visibility: Visibility): Cell[] {
      line[0] = row._id
      line[1] = row.participantId
      line[2] = row.sites === null ? null : placeTexts(row.sites)
      line[3] = row.groups === null ? null : placeTexts(row.groups)
      line[4] = stageName(row.stageRecurrence)
      line[5] = row.stageRecurrence
      line[6] = moment(row.createdAt)
      line[7] = row.updatedAt === row.createdAt ? line[6] : moment(row.updatedAt)
      line[8] = row.status
      line[9] = scored(visibility)(row.layout) ? row.score : null
      line[10] = row.partialSubmission
      const values = JSON.parse(row.values) as unknown[]
      const at = positions(row.layout)
      const mask = masks(visibility)
      for (let column = 0; column < cells.length; column++) {
        const value = at[column] === -1 || mask[column] ? null : values[at[column]!]
        line[identity.length + column] = value === null || value === undefined ? null : cells[column]!(value)
      }
      return line
    }
  }
}

/** The same function with a cache of its results by argument. */
function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return (key) => {
    let value = results.get(key)
    if (value === undefined) results.set(key, (value = make(key)))
    return value
  }
}
