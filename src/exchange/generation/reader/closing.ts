/** A question with the lines that followed it, and the field that they make together. */
import type { Block } from './blocks'
import { filled, isYesNo, optionsFrom, type ScalePoint } from './choices'
import { type Field, pointed } from './question'

/** A question whose options, statements or help may still follow. */
export type Open = {
  field: Field
  marker: (Block & { kind: 'item' })['marker'] | 'text'
  indent: number
  options: string[]
  statements: string[]
  points: ScalePoint[]
  help: string[]
  /** A line that leads to questions rather than asking itself. */
  isLead: boolean
  condition: string | undefined
  number: string | undefined
}

/** The field an open question makes; undefined for a line that only led to others. */
export function answered(open: Open): Field | undefined {
  const { field, options, statements, points, isLead } = open
  const scale = scaleOf(open)
  if (statements.length && scale) {
    const { settings: _, multiple: __, ...rest } = field
    return { ...rest, format: 'likert', settings: { scale: filled(scale), statements: keyed(statements) } }
  }
  if (isLead && !options.length && !points.length) return undefined
  if (scale && !options.some((each) => !/^\d/.test(each))) Object.assign(field, pointed(scale))
  else if (options.length) {
    const multiple = field.multiple && !isYesNo(optionsFrom(options, false))
    const made = optionsFrom(options, Boolean(multiple))
    field.format = 'choice'
    field.settings = { options: made, ...(multiple ? { multiple: true } : {}) }
    delete field.unit
  }
  if (field.format === 'choice' && field.multiple && !isYesNo(field.settings.options ?? []))
    field.settings.multiple = true
  return field
}

/** A blood pressure asked for in one line is two figures; any other field is itself. */
export function bothPressures(field: Field): Field[] {
  const isBoth =
    /\bblood pressure\b/i.test(field.title) &&
    !/systolic|diastolic|\?$/i.test(field.title) &&
    /text|integer|float/.test(field.format)
  if (!isBoth) return [field]
  const figure = { format: 'integer', unit: 'mmHg', settings: { min: 0 }, isCertain: true } as const
  return ['systolic', 'diastolic'].map((part) => ({ ...field, title: `${field.title} (${part})`, ...figure }))
}

export const keyed = (statements: readonly string[]) => statements.map((label, n) => ({ key: `s${n + 1}`, label }))

/** The scale of an open question: written in a line, or as options that all begin with a number. */
export function scaleOf({ points, options }: Open): ScalePoint[] | undefined {
  if (points.length) return points
  const coded = options.map((each) => /^(\d{1,3})\s*(?:=|:|–|—|-\s)\s*(\S.*)$/.exec(each))
  return options.length >= 2 && coded.every((each) => each !== null)
    ? coded.map((each) => ({ value: Number(each![1]), label: each![2]! }))
    : undefined
}
