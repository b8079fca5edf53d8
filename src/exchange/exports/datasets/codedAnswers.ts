/** Choices and scales as codes and labels (pure). See docs/exports.md, "Codes and labels". */

import { reasonTest } from '#design/dataTypes/missingReasons'
import { codesOf } from '#exchange/exports/codes'
import type { Cell } from '#writers/cell'
import type { Kind, ValueLabel } from '#writers/dataset'
import type { ColumnForm, FieldWithSettings, Part } from './form'

/** Numbers that are written as they are read: 1 and -9, but not 01, which stays text. */
const PLAIN_NUMBER = /^(0|-?[1-9]\d{0,14}|-?(0|[1-9]\d{0,9})\.\d{0,4}[1-9])$/

/** These codes as numbers if all of them are, else as text. */
const kindOf = (values: readonly (string | number)[]): Kind =>
  values.length > 0 && values.every((value) => PLAIN_NUMBER.test(String(value))) ? 'number' : 'text'

const typedValue = (kind: Kind, value: string | number): string | number =>
  kind === 'number' ? Number(value) : String(value)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/**
 * Returns a function from the label of an option to its code. A label that no option has any more stays as it is, so that nothing is
 * lost; if it could be taken for a code, it is marked as a label.
 */
function codeFinder(options: readonly ValueLabel[]): (label: unknown) => string | number {
  const codes = new Map<unknown, string | number>()
  for (const { label, value } of options) if (!codes.has(label)) codes.set(label, value)
  const taken = new Set(options.map(({ value }) => String(value).toLowerCase()))
  return (label) => {
    const code = codes.get(label)
    if (code !== undefined) return code
    const text = String(label)
    const isLikeCode = taken.has(text.trim().toLowerCase()) || (text.trim() !== '' && Number.isFinite(Number(text)))
    return isLikeCode ? `${text} (label)` : text
  }
}

const labelsOf = (value: unknown): Cell => listOf(value).join('; ')

/** The columns of a choice: its code, its label, and of several choices 1 or 0 for each option. */
export function choiceParts(field: FieldWithSettings, { columns, values }: ColumnForm): Part[] {
  const given = field.options ?? []
  const codes = codesOf(given)
  const kind = field.multiple ? 'text' : kindOf(codes)
  const options = given.map(
    ({ label, missing }, place): ValueLabel => ({
      value: typedValue(kind, codes[place]!),
      label,
      ...(missing ? { isMissing: true } : {}),
    }),
  )
  const reasons = options.filter(({ isMissing }) => isMissing)
  const codeOf = codeFinder(options)
  const isExpanded = columns === 'expanded' && field.multiple === true
  const coded: Part = {
    suffix: '',
    kind,
    measure: 'nominal',
    // A list of several codes is not itself a code: where each option has a column, that column says what it means. A code that says why there is
    // no answer is never in a list.
    values: isExpanded ? undefinedIfEmpty(reasons) : options,
    cell(value) {
      const chosen = listOf(value).map(codeOf)
      return chosen.length === 1 && !field.multiple ? chosen[0] : chosen.join('; ')
    },
  }
  const label: Part = {
    suffix: values === 'both' ? '_label' : '',
    kind: 'text',
    measure: 'nominal',
    values: undefinedIfEmpty(reasons.map((each) => ({ ...each, value: each.label }))),
    cell: labelsOf,
  }
  const whole = [
    ...(values === 'codes' || values === 'both' ? [coded] : []),
    ...(values === 'codes' ? [] : [values === 'both' ? { ...label, label: 'label' } : label]),
  ]
  if (!isExpanded) return whole
  const isReason = reasonTest(field)
  const parts = given.map(({ label, missing }, place) =>
    chosenPart(label, codes[place]!, (value) => !missing && isReason(value)),
  )
  return [...whole, ...parts]
}

const undefinedIfEmpty = (values: readonly ValueLabel[]) => (values.length ? values : undefined)

const CHOSEN: readonly ValueLabel[] = [
  { value: 0, label: 'Not chosen' },
  { value: 1, label: 'Chosen' },
]

/** @param isBlank whether an answer says nothing of the option: it says why there is none */
const chosenPart = (label: string, code: string, isBlank: (value: unknown) => boolean): Part => ({
  suffix: `_${code}`,
  label,
  kind: 'number',
  measure: 'nominal',
  decimals: 0,
  values: CHOSEN,
  cell: (value) => (isBlank(value) ? null : Number(listOf(value).includes(label))),
})

/** What stands for “not applicable”: `NA`, or a number where cells are strict; never a point of the scale. */
function notApplicableOf(points: readonly (string | number)[], isNumber: boolean): string | number {
  const taken = new Set(points.map((point) => String(point).toLowerCase()))
  let value: string | number = isNumber ? -98 : 'NA'
  while (taken.has(String(value).toLowerCase())) value = typeof value === 'number' ? value * 10 - 18 : `${value}_`
  return value
}

/** A column for each statement of a Likert, and one for its label if both are asked for. */
export function likertParts(field: FieldWithSettings, { values, cells }: ColumnForm): Part[] {
  const points = field.scale ?? []
  const kind = kindOf(points.map(({ value }) => value))
  const scale = points.map(
    ({ value, label }): ValueLabel => ({ value: typedValue(kind, value), label: label || String(value) }),
  )
  const missing: ValueLabel = {
    value: notApplicableOf(
      points.map(({ value }) => value),
      cells === 'strict' && kind === 'number',
    ),
    label: 'Not applicable',
    isMissing: true,
  }
  const known = [...scale, ...(field.allowNotApplicable ? [missing] : [])]
  const labels = new Map(points.map(({ value }, place) => [value, scale[place]!.label]))
  const pointOf = (key: string, found: (point: string | number) => Cell, notApplicable: Cell) => (value: unknown) => {
    const point = (value as Record<string, string | number | null | undefined>)[key]
    return point === undefined ? null : point === null ? notApplicable : found(point)
  }
  const isCode = (point: string | number) => labels.has(point)
  return (field.statements ?? []).flatMap(({ key, label }): Part[] => {
    const coded: Part = {
      suffix: `_${key}`,
      label,
      kind,
      measure: 'ordinal',
      values: known,
      cell: pointOf(key, (point) => (isCode(point) ? typedValue(kind, point) : point), missing.value),
    }
    const named: Part = {
      suffix: values === 'both' ? `_${key}_label` : `_${key}`,
      label,
      kind: 'text',
      measure: 'nominal',
      cell: pointOf(key, (point) => labels.get(point) ?? String(point), notApplicableLabel(missing, values)),
    }
    return [...(values === 'labels' ? [] : [coded]), ...(values === 'labels' || values === 'both' ? [named] : [])]
  })
}

/** Beside its code, “not applicable” has its label; without a code, the label distinguishes it from an answer. */
const notApplicableLabel = ({ value, label }: ValueLabel, values: ColumnForm['values']): string =>
  values === 'both' ? label : String(value)
