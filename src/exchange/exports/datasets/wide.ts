/** Responses with one row for each participant: a column for each field and occurrence of a stage. */
import { occurrenceName, occurrencesOf } from '#design/schedule/occurrences'
import type { StageRow } from '#design/stages/store'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { cut } from '#kernel/text'
import type { Cell } from '#writers/cell'
import type { Dataset, Variable } from '#writers/dataset'
import { type Column, columnsOf, uniqueHeaders } from './columns'
import type { ColumnForm } from './form'
import { cellMakers, exportFieldsOf, participantVariables, placeTexts, stateVariables } from './identity'
import { participantPages } from './participantPages'
import { occurrencesOfKept } from './store'
import { answerFiller, type Count, scoreReader } from './tables'

/** The most columns of a table with one row for each participant. */
const MOST_COLUMNS = 30_000

/** A stage with its columns, which each of its occurrences has, and the place of the first column of each occurrence. */
type WideStage = { stage: StageRow; columns: Column[]; starts: Map<number, number> }

/** What is said of each response, beside its answers. */
const STATE = ['createdAt', 'status', 'score', 'partialSubmission']

/**
 * One row for each participant of the export, also for those without a response. Responses without a participant have none. The
 * participants must be kept. @throws 400 if there would be more columns than `MOST_COLUMNS`
 */
export function wideTable(from: ExportContext, form: ColumnForm, count: Count): Dataset {
  const header = uniqueHeaders()
  const variables: Variable[] = participantVariables.map((each) => ({ ...each, name: header(each.name) }))
  const state = stateVariables(form).filter(({ name }) => STATE.includes(name))
  const existing = Map.groupBy(occurrencesOfKept(from.db), ({ stage }) => stage)
  const prefix = uniqueHeaders()
  const stages = from.stages.map((stage): WideStage => {
    const columns = columnsOf(
      exportFieldsOf(from.configuration, visibleFields(from, stage._id)),
      form,
      // Unique with its stage: `header` below.
      (name) => name,
    )
    const found = (existing.get(stage._id) ?? []).map(({ n }) => n)
    const occurrences = occurrencesIn(stage, found)
    requireRoom(variables.length + occurrences.length * (state.length + columns.length))
    const name = prefix(stagePrefix(stage))
    const starts = new Map<number, number>()
    for (const n of occurrences) {
      starts.set(n, variables.length)
      const of = occurrences.length > 1 || stage.adHoc ? `${name}_${n}` : name
      const title = occurrenceName(stage, n)
      for (const variable of [...state, ...columns.map(({ variable }) => variable)])
        variables.push({
          ...variable,
          name: header(`${of}_${variable.name}`),
          label: `${title}${stage.adHoc ? ` (${n})` : ''}: ${variable.label}`,
        })
    }
    return { stage, columns, starts }
  })
  return {
    name: 'Participants',
    label: 'One row for each participant',
    variables,
    rows: rows(from, stages, variables.length, form, count),
  }
}

/** The occurrences that have columns: those of the schedule, and those that there are responses to. */
function occurrencesIn(stage: StageRow, found: readonly number[]): number[] {
  const scheduled = stage.adHoc ? 0 : occurrencesOf(stage)
  requireRoom(scheduled)
  return [...new Set([...Array(scheduled).keys(), ...found])].sort((a, b) => a - b)
}

function requireRoom(columns: number): void {
  if (columns > MOST_COLUMNS) throw refuse.bad('tooManyWideColumns', { most: MOST_COLUMNS })
}

/** The name of a stage in the names of columns: its letters and digits, at most 24. */
function stagePrefix({ name, index }: StageRow): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
  const trimmed = cut(plain, 24).replace(/^_+|_+$/g, '')
  return /^[A-Za-z]/.test(trimmed) ? trimmed : `stage${index + 1}${trimmed && `_${trimmed}`}`
}

function* rows(
  from: ExportContext,
  stages: readonly WideStage[],
  width: number,
  form: ColumnForm,
  count: Count,
): Generator<Cell[]> {
  const fillers = new Map(stages.map((each) => [each.stage._id, responseFiller(from, each, form)]))
  const places = placeTexts(from.placeNames)
  const line: Cell[] = Array.from({ length: width }, () => null)
  for (const page of participantPages(from, [...neededColumns])) {
    for (const { owner, rows } of page) {
      line.fill(null)
      line[0] = owner.participantId
      line[1] = places(owner.sites)
      line[2] = places(owner.groups)
      for (const row of rows) fillers.get(row.stage)?.(line, row)
      count.rows++
      yield line
    }
  }
}

const neededColumns = [
  'stage',
  'stageRecurrence',
  'createdAt',
  'status',
  'score',
  'partialSubmission',
  'layout',
  'values',
] as const

type WideRow = Parameters<ExportContext['visibility']>[0] & {
  stage: Id
  stageRecurrence: number
  createdAt: number
  status: Cell
  score: number | null
  partialSubmission: boolean
  layout: string
  values: string
}

/** Returns a function that fills the columns of the occurrence that a response belongs to. */
function responseFiller(from: ExportContext, { stage, columns, starts }: WideStage, form: ColumnForm) {
  const fillAnswers = answerFiller(from, columns)
  const isScored = scoreReader(from, stage)
  const make = cellMakers(form)
  return (line: Cell[], row: WideRow): void => {
    const start = starts.get(row.stageRecurrence)
    if (start === undefined) return
    const visibility = from.visibility(row)
    line[start] = make.moment(row.createdAt)
    line[start + 1] = row.status
    line[start + 2] = isScored(visibility, row.layout) ? row.score : null
    line[start + 3] = make.yesNo(row.partialSubmission)
    fillAnswers(line, start + STATE.length, row, visibility)
  }
}
