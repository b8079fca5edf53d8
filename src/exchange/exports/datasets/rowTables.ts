/** The rows of tables that participants filled in: a dataset for each table data type, with the response that each row belongs to. */
import { layoutById } from '#conduct/responses/store'
import { occurrenceName } from '#design/schedule/occurrences'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { changesSince, narrowPages } from '#exchange/exports/pages'
import type { Id } from '#kernel/id'
import type { Cell } from '#writers/cell'
import type { Dataset } from '#writers/dataset'
import { type Column, columnsOf, uniqueHeaders } from './columns'
import type { ColumnForm, FieldWithSettings } from './form'
import {
  cellMakers,
  exportFieldsOf,
  momentVariable,
  numberVariable,
  oncePerKey,
  placeTexts,
  responseVariables,
} from './identity'
import type { Count } from './tables'

/** The rows of a table data type (`_id`). */
export type RowTable = Dataset & { dataType: Id }

/** One dataset for each table that the reader may see of these stages. @param count counts the rows, if they are what is counted */
export function rowTables(from: ExportContext, form: ColumnForm, count: Count = { rows: 0 }): RowTable[] {
  const stages = new Map<Id, StageRow[]>()
  for (const stage of from.stages)
    for (const field of visibleFields(from, stage._id)) stages.set(field, [...(stages.get(field) ?? []), stage])
  return exportFieldsOf(from.configuration, stages.keys()).flatMap((dataType) =>
    dataType.format === 'table' ? [rowTable(from, dataType, stages.get(dataType._id) ?? [], form, count)] : [],
  )
}

function rowTable(
  from: ExportContext,
  dataType: FieldWithSettings,
  stages: readonly StageRow[],
  form: ColumnForm,
  count: Count,
): RowTable {
  const { _id, code, name = code, columns: tableColumns, isRestricted, isPii } = dataType
  const header = uniqueHeaders()
  const first = [
    ...responseVariables,
    momentVariable('createdAt', 'Recorded'),
    numberVariable('row', 'Row of the table, from 1'),
  ].map((each) => ({ ...each, name: header(each.name) }))
  const cells = (tableColumns ?? []).map(({ id, label, ...settings }) => ({
    ...settings,
    ...{ _id: id, code: id, name: label, isRestricted, isPii },
  }))
  const columns = columnsOf(cells, { ...form, columns: 'expanded' }, header)
  return {
    dataType: _id,
    name: code,
    label: name,
    variables: [...first, ...columns.map(({ variable }) => variable)],
    rows: rows(from, _id, stages, columns, form, count),
  }
}

function* rows(
  from: ExportContext,
  dataType: Id,
  stages: readonly StageRow[],
  columns: readonly Column[],
  form: ColumnForm,
  count: Count,
): Generator<Cell[]> {
  const { db, moment } = from
  // The changes of a moment are for one reading of the responses: this is another.
  const again = { ...from, changes: moment && changesSince(from, moment) }
  const places = placeTexts(from.placeNames)
  const make = cellMakers(form)
  for (const stage of stages) {
    const stageName = oncePerKey((n: number) => occurrenceName(stage, n))
    for (const page of narrowPages(again, stage._id, ['stageRecurrence', 'createdAt', 'layout', 'values'])) {
      for (const row of page) {
        const at = layoutById(db, row.layout).positions.get(dataType)
        if (at === undefined || from.visibility(row).hidden(dataType)) continue
        const first = [row._id, row.participantId, places(row.sites), places(row.groups)]
        const answer: unknown = (JSON.parse(row.values) as unknown[])[at]
        for (const [place, entry] of (Array.isArray(answer) ? answer : []).entries()) {
          count.rows++
          const when = [stageName(row.stageRecurrence), row.stageRecurrence, make.moment(row.createdAt), place + 1]
          yield [...first, ...when, ...cellsOf(entry, columns)]
        }
      }
    }
  }
}

/** The cells of one row of an answer. */
const cellsOf = (entry: Record<string, unknown>, columns: readonly Column[]): Cell[] =>
  columns.map(({ dataType, cell }) => {
    const value = entry[dataType]
    return value === null || value === undefined || value === '' ? null : cell(value)
  })
