/** User-missing values of SPSS: at most three, or of numbers a range and one more. */
import type { Column } from '#writers/columns'
import type { ValueLabel, Variable } from '#writers/dataset'
import { type NoteList, shown } from '#writers/noteList'
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

/** If there are too many codes for a list: the range in which it is asked whether other numbers occur. */
export function rangeAsked({ kind, values = [] }: Variable): TallyRule['between'] {
  const codes = kind === 'number' ? new Set(numbersOf(values)) : new Set<number>()
  return codes.size > MOST ? { from: Math.min(...codes), to: Math.max(...codes), codes } : undefined
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
      `Not declared as missing, because SPSS has no room for it: ${left.map(({ value }) => shown(value)).join(', ')}.`,
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
  const ranges: [inside: number[], outside: number[]][] = [
    [codes, []],
    [codes.slice(1), codes.slice(0, 1)],
    [codes.slice(0, -1), codes.slice(-1)],
  ]
  for (const [inside, discrete] of tally.strays ? [] : ranges) {
    const range: [number, number] = [inside[0]!, inside.at(-1)!]
    if (!others.some((value) => value >= range[0] && value <= range[1])) return { range, discrete }
  }
  return { discrete: codes.slice(0, MOST) }
}
