/** Responses as tables: one row per response, with columns for the participant and for every data type. */

import { type SourceSubmissions, sourceSubmissionAt, submissionsIn } from '#conduct/responses/layout'
import { layoutById, type SubmissionMeta, submissionMetaAmong } from '#conduct/responses/store'
import { isScoreHidden } from '#conduct/responses/views'
import { occurrenceName } from '#design/schedule/occurrences'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { narrowPages } from '#exchange/exports/pages'
import type { NarrowRow } from '#exchange/exports/store'
import type { Visibility } from '#exchange/exports/visibility'
import type { Id } from '#kernel/id'
import type { Cell, Sheet } from '#writers/cell'
import type { Dataset } from '#writers/dataset'
import { type Column, columnsOf, uniqueHeaders } from './columns'
import type { ColumnForm } from './form'
import {
  cellMakers,
  exportFieldsOf,
  momentVariable,
  oncePerKey,
  placeTexts,
  responseVariables,
  stateVariables,
} from './identity'

/** What a row needs of a response. */
const neededColumns = [
  'stageRecurrence',
  'createdAt',
  'updatedAt',
  'status',
  'score',
  'partialSubmission',
  'layout',
  'values',
] as const
export type TableRow = NarrowRow<(typeof neededColumns)[number]> & { sources?: string }

/** The number of rows that were read so far. */
export type Count = { rows: number }

/** A dataset as a csv and a workbook write it. */
export const sheetOf = ({ name, variables, rows }: Dataset): Sheet => ({
  name,
  columns: variables.map(({ name }) => ({ header: name })),
  rows,
})

/** The data types that the reader may see of any of the stages, then all others of the trial. */
function fieldsOfTrial(from: ExportContext): Id[] {
  const dataTypes = new Set(from.stages.flatMap((stage) => visibleFields(from, stage._id)))
  for (const dataType of from.configuration.dataTypes.keys())
    if (!from.hiddenEverywhere(dataType)) dataTypes.add(dataType)
  return [...dataTypes]
}

/** All stages in one table, in their order, with columns for each data type of the trial that the reader may see. */
export const trialTable = (from: ExportContext, form: ColumnForm, count: Count): Dataset =>
  table(from, 'Responses', from.stages, fieldsOfTrial(from), form, count)

/** One stage, with the data types that it asks or asked for earlier. */
export const stageTable = (from: ExportContext, stage: StageRow, form: ColumnForm, count: Count): Dataset =>
  table(from, stage.name, [stage], visibleFields(from, stage._id), form, count)

function table(
  from: ExportContext,
  name: string,
  stages: readonly StageRow[],
  dataTypes: readonly Id[],
  form: ColumnForm,
  count: Count,
): Dataset {
  const header = uniqueHeaders()
  const isExpanded = form.columns === 'expanded'
  // Of each page the submissions are read for it: a table with one column per data type does without.
  const entered = isExpanded ? [momentVariable('enteredAt', 'Answers given, if their sender said so')] : []
  const first = [...responseVariables, ...stateVariables(form), ...entered].map((each) => ({
    ...each,
    name: header(each.name),
  }))
  const columns = columnsOf(exportFieldsOf(from.configuration, dataTypes), form, header)
  return {
    name,
    label: name,
    variables: [...first, ...columns.map(({ variable }) => variable)],
    rows: rows(from, stages, columns, first.length, form, count),
  }
}

function* rows(
  from: ExportContext,
  stages: readonly StageRow[],
  columns: readonly Column[],
  first: number,
  form: ColumnForm,
  count: Count,
): Generator<Cell[]> {
  const fill = rowFiller(from, columns, first, form)
  const isExpanded = form.columns === 'expanded'
  // One array for all rows: a new one for each of them is a good part of the time.
  const line: Cell[] = Array.from({ length: first + columns.length }, () => null)
  for (const stage of stages) {
    const fillStage = fill(stage)
    const pages: Iterable<TableRow[]> = isExpanded
      ? narrowPages(from, stage._id, [...neededColumns, 'sources'])
      : narrowPages(from, stage._id, neededColumns)
    for (const page of pages) {
      const entered = isExpanded ? enteredTimes(from, page) : undefined
      for (const row of page) {
        count.rows++
        fillStage(line, row, entered)
        yield line
      }
    }
  }
}

/**
 * Returns a function that fills a line, from this place on, with the cells of the answers of a response that the reader may see.
 * It returns the values of the response.
 */
export function answerFiller(from: ExportContext, columns: readonly Column[]) {
  const positions = oncePerKey((layout: string) => {
    const at = layoutById(from.db, layout).positions
    return columns.map(({ dataType }) => at.get(dataType) ?? -1)
  })
  const masks = oncePerKey((visibility: Visibility) => columns.map(({ dataType }) => visibility.hidden(dataType)))
  const cells = columns.map(({ cell }) => cell)
  return (line: Cell[], first: number, row: { layout: string; values: string }, visibility: Visibility): unknown[] => {
    const values = JSON.parse(row.values) as unknown[]
    const at = positions(row.layout)
    const mask = masks(visibility)
    for (let column = 0; column < cells.length; column++) {
      const value = at[column] === -1 || mask[column] ? null : values[at[column]!]
      line[first + column] = value === null || value === undefined ? null : cells[column]!(value)
    }
    return values
  }
}

/** Returns a function that, for a stage, returns one that fills a line with the cells of a response. */
function rowFiller(from: ExportContext, columns: readonly Column[], first: number, form: ColumnForm) {
  const places = placeTexts(from.placeNames)
  const fillAnswers = answerFiller(from, columns)
  const make = cellMakers(form)

  return (stage: StageRow) => {
    const stageName = oncePerKey((n: number) => occurrenceName(stage, n))
    const isScored = scoreReader(from, stage)
    return (line: Cell[], row: TableRow, entered: EnteredTimes | undefined): void => {
      const visibility = from.visibility(row)
      line[0] = row._id
      line[1] = row.participantId
      line[2] = places(row.sites)
      line[3] = places(row.groups)
      line[4] = stageName(row.stageRecurrence)
      line[5] = row.stageRecurrence
      line[6] = make.moment(row.createdAt)
      line[7] = row.updatedAt === row.createdAt ? line[6] : make.moment(row.updatedAt)
      line[8] = row.status
      line[9] = isScored(visibility, row.layout) ? row.score : null
      line[10] = make.yesNo(row.partialSubmission)
      const values = fillAnswers(line, first, row, visibility)
      if (entered) {
        const at = entered(row, values, visibility)
        line[11] = at === undefined ? null : make.moment(at)
      }
    }
  }
}

/** Returns a function that says whether the reader may see the scores of a stage. */
export function scoreReader(from: ExportContext, stage: StageRow) {
  const scored = oncePerKey(({ hidden }: Visibility) =>
    oncePerKey((layout: string) => !isScoreHidden(from.configuration, stage._id, layoutById(from.db, layout), hidden)),
  )
  return (visibility: Visibility, layout: string): boolean => scored(visibility)(layout)
}

const sourcesIn = (sources = '[]'): SourceSubmissions => JSON.parse(sources)

type AnswerRow = Pick<TableRow, 'layout' | 'sources'>
type EnteredTimes = (row: AnswerRow, values: readonly unknown[], visibility: Visibility) => number | undefined

/** Returns a function that returns when the visible answers of a response were given: the earliest time that their senders sent. */
function enteredTimes({ db }: ExportContext, page: readonly AnswerRow[]): EnteredTimes | undefined {
  const numbers = page.flatMap(({ sources }) => submissionsIn(sourcesIn(sources)))
  const known = submissionMetaAmong(db, new Set(numbers))
  if (![...known.values()].some(({ entered }) => entered !== null)) return undefined
  const timesOf = oncePerKey((meta: SubmissionMeta): Record<number, number> => JSON.parse(meta.entered ?? '{}'))
  return ({ layout, sources }, values, { hidden }) => {
    const { dataTypes } = layoutById(db, layout)
    const from = sourcesIn(sources)
    const times = values.flatMap((value, at) => {
      const source = value === null || hidden(dataTypes[at]!) ? null : sourceSubmissionAt(from, at)
      const meta = source === null ? undefined : known.get(source)
      return (meta && timesOf(meta)[at]) ?? []
    })
    return times.length ? Math.min(...times) : undefined
  }
}
