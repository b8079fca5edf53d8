/** A question with the lines that follow it, and the field that is made from them. */
import type { Block } from './blocks'
import { fillScale, isYesNo, optionsFrom, type ScalePoint } from './choices'
import { type Field, scaleKind } from './question'

/** A question whose options, statements or help may still follow. */
export type OpenQuestion = {
  field: Field
  /** `text`: a line without a marker that the lines after it show to be a question. */
  marker: (Block & { kind: 'item' })['marker'] | 'text'
  indent: number
  options: string[]
  statements: string[]
  points: ScalePoint[]
  help: string[]
  isRow?: true | undefined
}

/** Makes the field from an open question. */
export function fieldOf(question: OpenQuestion): Field {
  const { field, options, statements } = question
  const scale = scaleOf(question)
  if (statements.length && scale) {
    const { settings: _, multiple: __, ...rest } = field
    return { ...rest, format: 'likert', settings: { scale: fillScale(scale), statements: withKeys(statements) } }
  }
  if (scale) Object.assign(field, scaleKind(scale))
  else if (options.length) {
    const multiple = field.multiple && !isYesNo(optionsFrom(options, false))
    field.format = 'choice'
    field.settings = { options: optionsFrom(options, Boolean(multiple)), ...(multiple ? { multiple: true } : {}) }
    delete field.unit
  }
  if (field.format === 'choice' && field.multiple && !isYesNo(field.settings.options ?? []))
    field.settings.multiple = true
  return field
}

export const withKeys = (statements: readonly string[]) => statements.map((label, n) => ({ key: `s${n + 1}`, label }))

/** The scale of an open question: written in one line, or as options that all begin with a number. */
export function scaleOf({ points, options }: OpenQuestion): ScalePoint[] | undefined {
  if (points.length) return points
  const coded = options.map((each) => /^(\d{1,3})\s*(?:=|:|–|—|-\s)\s*(\S.*)$/.exec(each))
  return options.length >= 2 && coded.every((each) => each !== null)
    ? coded.map((each) => ({ value: Number(each![1]), label: each![2]! }))
    : undefined
}
