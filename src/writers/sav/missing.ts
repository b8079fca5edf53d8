/** User-missing values of SPSS: at most three, or of numbers a range and one more. */
import type { Column } from '#writers/columns'
import type { ValueLabel, Variable } from '#writers/dataset'
import { type NoteList, valueText } from '#writers/noteList'
import type { TallyRule } from '#writers/tally'
import { SPSS_SCALE } from './scale'

export type MissingValues = { range?: [from: number, to: number]; discrete: readonly (string | number)[] }

const MOST = 3
/** The most bytes of a text that means “missing”. */
const TEXT_BYTES = 8

const numbersOf = (values: readonly ValueLabel[]): number[] =>
  values.flatMap(({ value, isMissing }) =>
    isMissing && typeof value === 'number' && SPSS_SCALE.number(value) !== undefined ? [value] : [],
  )

/** A range of codes that SPSS could take for missing, and the ones beside it. */
type Choice = { range: [from: number, to: number]; discrete: number[]; codes: ReadonlySet<number> }

/** The ranges that hold all codes, or all but the lowest or the highest one. */
function choicesOf(codes: readonly number[]): Choice[] {
  const sorted = [...codes].sort((one, other) => one - other)
  const choice = (inside: number[], discrete: number[]): Choice => ({
    range: [inside[0]!, inside.at(-1)!],
    discrete,
    codes: new Set(sorted),
  })
  return [
    choice(sorted, []),
    choice(sorted.slice(1), sorted.slice(0, 1)),
    choice(sorted.slice(0, -1), sorted.slice(-1)),
  ]
}

/** If there are too many codes for a list: the ranges in which it is asked whether other numbers occur. */
export function missingRanges({ kind, values = [] }: Variable): TallyRule['ranges'] {
  // Of several labels of a value, the first one counts.
  const first = new Map(values.toReversed().map((each) => [each.value, each]))
  const codes = kind === 'number' ? numbersOf([...first.values()]) : []
  if (codes.length <= MOST) return undefined
  return choicesOf(codes).map((choice) => ({ from: choice.range[0], to: choice.range[1], codes: choice.codes }))
}

/** The missing values of a column. Those that SPSS has no room for are noted, and stay what they are: values with labels. */
export function missingOf(column: Column, width: number, notes: NoteList): MissingValues {
  const { variable, kind, values } = column
  const missing = kind === 'text' ? textsMissing(values, width) : numbersMissing(column)
  const isDeclared = ({ value }: ValueLabel) =>
    missing.discrete.includes(value) ||
    (missing.range !== undefined && Number(value) >= missing.range[0] && Number(value) <= missing.range[1])
  const left = values.filter((each) => each.isMissing && !isDeclared(each))
  if (left.length)
    notes.add(
      variable.name,
      `Not declared as missing, because SPSS has no room for it: ${left.map(({ value }) => valueText(value)).join(', ')}.`,
    )
  return missing
}

function textsMissing(values: readonly ValueLabel[], width: number): MissingValues {
  const most = Math.min(width, TEXT_BYTES)
  const short = values.flatMap(({ value, isMissing }) =>
    isMissing && String(value).trimEnd() !== '' && Buffer.byteLength(String(value)) <= most ? [String(value)] : [],
  )
  return { discrete: short.slice(0, MOST) }
}

function numbersMissing({ values, tally }: Column): MissingValues {
  const codes = numbersOf(values).sort((one, other) => one - other)
  if (codes.length <= MOST) return { discrete: codes }
  const others = values.flatMap(({ value, isMissing }) => (isMissing || typeof value !== 'number' ? [] : [value]))
  const isFree = ({ range: [from, to] }: Choice, at: number) =>
    tally.unlistedNumbers[at] === 0 && !others.some((value) => value >= from && value <= to)
  const choice = choicesOf(codes).find(isFree)
  return choice ? { range: choice.range, discrete: choice.discrete } : { discrete: codes.slice(0, MOST) }
}
