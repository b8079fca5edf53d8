/** Responses with one row for each answer: of answers with parts for each statement, chosen option and cell of a table. */
import { sourceSubmissionAt, submissionsIn } from '#conduct/responses/layout'
import { layoutById, type SubmissionMeta, submissionMetaAmong } from '#conduct/responses/store'
import { occurrenceName } from '#design/schedule/occurrences'
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import { narrowPages } from '#exchange/exports/pages'
import { type Cell, momentText } from '#writers/cell'
import type { Dataset, Variable } from '#writers/dataset'
import { type Column, columnsOf } from './columns'
import type { ColumnForm, ExportField } from './form'
import {
  cellMakers,
  exportFieldsOf,
  momentVariable,
  numberVariable,
  oncePerKey,
  placeTexts,
  responseVariables,
  textVariable,
  yesNoVariable,
} from './identity'
import { plainCell } from './parts'
import { removedPartsOf } from './removedParts'
import type { Count } from './tables'

const variables = (form: ColumnForm): readonly Variable[] => [
  ...responseVariables,
  textVariable('field', 'Code of the question'),
  textVariable('variable', 'Code of the question and of its part'),
  textVariable('question', 'Question and part'),
  numberVariable('row', 'Row of a table, or place among several choices, from 1'),
  textVariable('value', 'Answer'),
  textVariable('label', 'Label of the answer'),
  textVariable('unit', 'Unit'),
  momentVariable('recordedAt', 'Answer recorded'),
  momentVariable('enteredAt', 'Answer given, if its sender said so'),
  yesNoVariable('sentLate', 'Answered before the form closed, and sent after that', form),
]

/** The name, question, row and cells of a part of an answer. */
export type AnswerPart = { column: Column; row: number | null; value: Cell; label: Cell }

/** One row for each answer. Without labels, the column of labels is empty; with labels only, they are the values. */
export const longTable = (from: ExportContext, form: ColumnForm, count: Count): Dataset => ({
  name: 'Answers',
  label: 'One row for each answer',
  variables: variables(form),
  rows: rows(from, form, count),
})

function* rows(from: ExportContext, form: ColumnForm, count: Count): Generator<Cell[]> {
  const { db, configuration } = from
  const places = placeTexts(from.placeNames)
  const make = cellMakers(form)
  for (const stage of from.stages) {
    const stageName = oncePerKey((n: number) => occurrenceName(stage, n))
    const fields = exportFieldsOf(configuration, visibleFields(from, stage._id)).map((field) => ({
      field,
      answersOf: answerReader(field, form),
    }))
    for (const page of narrowPages(from, stage._id, ['stageRecurrence', 'layout', 'values', 'sources'])) {
      const known = submissionMetaAmong(db, new Set(page.flatMap((row) => submissionsIn(JSON.parse(row.sources)))))
      for (const row of page) {
        const layout = layoutById(db, row.layout)
        const [values, sources] = [JSON.parse(row.values) as unknown[], JSON.parse(row.sources)]
        const { hidden } = from.visibility(row)
        const first = [row._id, row.participantId, places(row.sites), places(row.groups)]
        const at = [stageName(row.stageRecurrence), row.stageRecurrence]
        for (const { field, answersOf } of fields) {
          const position = layout.positions.get(field._id)
          const value = position === undefined || hidden(field._id) ? null : values[position]
          if (position === undefined || value === null || value === undefined) continue
          const times = timesOf(known.get(sourceSubmissionAt(sources, position) ?? -1), position, make)
          for (const { column, row, value: cell, label } of answersOf(value)) {
            const { name, label: question, unit } = column.variable
            count.rows++
            yield [...first, ...at, field.code, name, question, row, cell, label, unit, ...times]
          }
        }
      }
    }
  }
}

/** When an answer was recorded, when it was given, and whether it was sent late. */
function timesOf(
  meta: SubmissionMeta | undefined,
  position: number,
  { moment: at, yesNo }: Pick<ReturnType<typeof cellMakers>, 'moment' | 'yesNo'>,
): Cell[] {
  if (!meta) return [null, null, null]
  const entered = meta.entered === null ? undefined : (JSON.parse(meta.entered) as Record<number, number>)[position]
  return [at(meta.at), entered === undefined ? null : at(entered), yesNo(Boolean(meta.sentLate))]
}

/** Returns a function that returns the parts of an answer that are not blank, those that the question no longer has among them. */
export function answerReader(field: ExportField, form: ColumnForm): (value: unknown) => AnswerPart[] {
  const read = knownReader(field, form)
  if (field.format === undefined) return read
  const removedOf = removedPartsOf(field)
  const { _id: dataType, code, name = code, isRestricted, isPii: isPersonal } = field
  return (value) => {
    const removed = removedOf(value).map(({ key, row, value }): AnswerPart => {
      const described = {
        name: `${code}_${key}`,
        label: `${name}: ${key} (removed)`,
        kind: 'text',
        measure: 'nominal',
      } as const
      return {
        column: { variable: { ...described, isRestricted, isPersonal }, dataType, cell: plainCell },
        row,
        value: `${value}`,
        label: null,
      }
    })
    return removed.length ? [...read(value), ...removed] : read(value)
  }
}

/** The same for the parts that the question has. */
function knownReader(field: ExportField, form: ColumnForm): (value: unknown) => AnswerPart[] {
  const parts = {
    ...form,
    columns: 'expanded',
    cells: 'text',
    values: form.values === 'both' ? 'codes' : form.values,
  } as const
  const own = (name: string) => name
  if (field.format === 'table') {
    const { isRestricted, isPii } = field
    const cells = (field.columns ?? []).map(({ id, label, ...settings }) => {
      const [code, name] = [`${field.code}_${id}`, `${field.name ?? field.code}: ${label}`]
      return {
        id,
        read: partReader(
          columnsOf([{ ...settings, _id: field._id, code, name, isRestricted, isPii }], parts, own),
          form,
        ),
      }
    })
    return (value) =>
      listOf(value).flatMap((entry, place) =>
        cells.flatMap(({ id, read }) => read((entry as Record<string, unknown>)[id], place + 1)),
      )
  }
  if (field.format === 'choice' && field.multiple) {
    // Each of several choices is written as a single one is.
    const read = partReader(columnsOf([{ ...field, multiple: false }], parts, own), form)
    return (value) => listOf(value).flatMap((label, place) => read([label], place + 1))
  }
  const read = partReader(columnsOf([field], parts, own), form)
  return (value) => read(value, null)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Returns a function that returns the parts of a value, each with its label if both are asked for. */
function partReader(columns: readonly Column[], { values }: ColumnForm) {
  const known = columns.map(
    ({ variable }) => new Map(variable.values?.map(({ value, label }) => [String(value), label])),
  )
  return (value: unknown, row: number | null): AnswerPart[] => {
    if (value === null || value === undefined || value === '') return []
    return columns.flatMap((column, at) => {
      const cell = textOf(column.cell(value))
      if (cell === null) return []
      return { column, row, value: cell, label: values === 'both' ? (known[at]?.get(cell) ?? null) : null }
    })
  }
}

/** A cell as text: answers of all kinds are in one column. */
export function textOf(cell: Cell): string | null {
  if (cell === null || cell === undefined) return null
  if (typeof cell !== 'object') return String(cell)
  return 'at' in cell ? momentText(cell.at) : 'day' in cell ? cell.day : cell.time
}
