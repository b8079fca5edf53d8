/** Answers in words, each part of one with its label, code and unit; and what replaced what. */
import { type ExportContext, visibleFields } from '#exchange/exports/context'
import type { ExportField } from '#exchange/exports/datasets/form'
import { exportFieldsOf } from '#exchange/exports/datasets/identity'
import { type AnswerPart, answerReader } from '#exchange/exports/datasets/long'
import type { Id } from '#kernel/id'

const FORM = { columns: 'expanded', values: 'both', cells: 'text', tables: 'apart' } as const

/** A question, and a function that returns the lines of an answer to it; none if it is blank. */
export type Question = { _id: Id; code: string; name: string; linesOf(value: unknown): string[] }

function questionOf(field: ExportField): Question {
  const { _id, code, name = code } = field
  const read = answerReader(field, FORM)
  return {
    _id,
    code,
    name,
    linesOf(value) {
      const answers = read(value)
      const textOf = (answer: AnswerPart) => partText(answer, name)
      if (field.format !== 'table') return answers.map(textOf)
      const rows = Map.groupBy(answers, ({ row }) => row)
      return Array.from(rows, ([row, cells]) => `Row ${row}: ${cells.map(textOf).join('; ')}`)
    },
  }
}

/** A part of an answer with its label, code and unit. */
function partText({ column: { variable }, value, label }: AnswerPart, question: string): string {
  const cell = variable.kind === 'moment' ? `${value}`.replace(WHOLE_MOMENT, '$1 $2 UTC') : `${value}`
  const coded = label === null || label === value ? cell : `${label} (${cell})`
  const answer = variable.unit ? `${coded} ${variable.unit}` : coded
  const part = partOf(variable.label, question)
  return part ? `${part}: ${answer}` : answer
}

/** A moment as it is stored; without the digits of a second if they are zeros. */
const WHOLE_MOMENT = /^(\S+)T(\S+?)(?:\.0+)?Z$/

/** What a part is called beside its question. */
const partOf = (label: string, question: string): string =>
  label === question ? '' : label.startsWith(`${question}: `) ? label.slice(question.length + 2) : label

/** The questions of a stage that the reader may see of some participant: those that it asks, then those of earlier answers. */
export const questionsOf = (from: ExportContext, stage: Id): Question[] =>
  exportFieldsOf(from.configuration, visibleFields(from, stage)).map(questionOf)
