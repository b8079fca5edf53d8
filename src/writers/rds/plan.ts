/** What each variable of a data frame of R is: its type, attributes, and the levels of a factor. */
import type { Cell } from '#writers/cell'
import { type Scale, textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import type { ValueLabel } from '#writers/dataset'
import { countText, type NoteList, rowsText } from '#writers/noteList'
import type { Levels } from './levels'
import type { RAttributes, VectorType } from './xdr'

const SECOND = 1_000_000

/** Days since 1970, seconds since 1970, seconds since midnight. */
export const R_SCALE: Scale = {
  number: (value) => value,
  day: (days) => days,
  moment: (at) => at / SECOND,
  time: (seconds) => seconds,
  instantOf: (value) => Math.round(value * SECOND),
}

export type RVariable = {
  name: string
  type: VectorType
  isObject: boolean
  attributes: RAttributes
  /** The value of a cell: a number or a text as `type` says, undefined for NA. */
  value(cell: Cell): number | string | undefined
}

/** -2^31 is NA. */
const MOST_INT = 2 ** 31 - 1

/** @param levels undefined if the variable is not a factor */
export function planVariable(column: Column, name: string, levels: Levels | undefined, notes: NoteList): RVariable {
  const { variable, kind } = column
  const shared = {
    label: { texts: [variable.label] },
    ...(name === variable.name ? {} : { column: { texts: [textOf(variable.name)] } }),
    ...(variable.unit ? { unit: { texts: [textOf(variable.unit)] } } : {}),
  }
  if (name !== variable.name) notes.add(variable.name, `The name in R is ${name}.`)
  if (levels) return factor(column, name, levels, shared, notes)
  const type = typeOf(column)
  const classes = CLASSES[kind]
  return {
    name,
    type,
    isObject: classes !== undefined,
    attributes: { ...shared, ...classes, ...labelsOf(column) },
    value:
      kind === 'text'
        ? (cell) => (cell === null || cell === undefined ? undefined : textOf(cell))
        : (cell) => (cell === null || cell === undefined ? undefined : column.number(cell)),
  }
}

const CLASSES: Record<Column['kind'], RAttributes | undefined> = {
  text: undefined,
  number: undefined,
  day: { class: { texts: ['Date'] } },
  moment: { class: { texts: ['POSIXct', 'POSIXt'] }, tzone: { texts: ['UTC'] } },
  time: { class: { texts: ['hms', 'difftime'] }, units: { texts: ['secs'] } },
}

function typeOf({ kind, variable, tally: { isWhole, least, most } }: Column): VectorType {
  if (kind === 'text') return 'texts'
  const isInt = kind === 'number' && isWhole && !variable.decimals && least >= -MOST_INT && most <= MOST_INT
  return isInt ? 'ints' : 'doubles'
}

/** The values of a variable that is not a factor, as the package haven has them: a vector of values, with the labels as names. */
function labelsOf({ kind, values }: Column): RAttributes {
  if (!values.length) return {}
  const missing = values.filter(({ isMissing }) => isMissing)
  return {
    labels: { ...vectorOf(kind, values), names: values.map(({ label }) => label) },
    ...(missing.length ? { missing: vectorOf(kind, missing) } : {}),
  }
}

const vectorOf = (kind: Column['kind'], values: readonly ValueLabel[]) =>
  kind === 'text'
    ? { texts: values.map(({ value }) => textOf(value)) }
    : { doubles: values.map(({ value }) => Number(value)) }

/** A factor: the levels are the labels, in order. `codes` has the code of each level, `missing` those that mean “no answer”. */
function factor(column: Column, name: string, levels: Levels, shared: RAttributes, notes: NoteList): RVariable {
  const { variable, kind, values } = column
  const { unlistedAnswers } = levels
  if (unlistedAnswers.count)
    notes.add(
      variable.name,
      `${countText(unlistedAnswers.count, 'answer')} (${rowsText(unlistedAnswers)}) ${unlistedAnswers.count === 1 ? 'is' : 'are'} none of the options of now: their values are levels after those of the options.`,
    )
  if (levels.renamed.length)
    notes.add(variable.name, `Options with the same label: the levels have the code too: ${levels.renamed.join('; ')}.`)
  const missing = values.filter(({ isMissing }) => isMissing)
  const codes: readonly ValueLabel[] = levels.codes.map((value) => ({ value, label: '' }))
  return {
    name,
    type: 'ints',
    isObject: true,
    attributes: {
      levels: { texts: levels.texts },
      class: { texts: ['factor'] },
      codes: vectorOf(kind, codes),
      ...(missing.length ? { missing: vectorOf(kind, missing) } : {}),
      ...shared,
    },
    value: (cell) => (cell === null || cell === undefined ? undefined : levels.indexOf(cell)),
  }
}
