/** Tables as programs for statistics know them: variables that say what they hold. Every statistics format is written from this. */
import type { Cell } from './cell'

/**
 * What the cells of a variable are: `text` a string; `number` a number; `day` `{day}`; `moment` `{at}`; `time` `{time}`. A blank cell
 * is null.
 */
export type Kind = 'text' | 'number' | 'day' | 'moment' | 'time'

/** A value with a meaning: the code of an option, a point of a scale. `isMissing`: it says why there is no answer. */
export type ValueLabel = { value: string | number; label: string; isMissing?: boolean }

export type Variable = {
  /** The header in csv: unique in the table whatever the case, of any length and any characters. Formats derive valid names from it. */
  name: string
  /** The question or title as people read it, of any length. */
  label: string
  kind: Kind
  measure: 'nominal' | 'ordinal' | 'scale'
  /** Of numbers: digits after the point. Undefined if any number may occur. */
  decimals?: number | undefined
  unit?: string | undefined
  /** Texts for `text`, numbers for `number`. Cells may hold other values too, such as an option that was removed since. */
  values?: readonly ValueLabel[] | undefined
  isRestricted?: boolean
  isPersonal?: boolean
}

/** A table with described variables. `rows` is read once; the array of a row may be used again for the next one. */
export type Dataset = {
  /** For the file or sheet. */
  name: string
  /** As people read it. */
  label: string
  variables: readonly Variable[]
  rows: Iterable<readonly Cell[]>
}

/** What a program's format could not hold unchanged: the codebook and the README of a package list it. */
export type Note = { variable: string; text: string }

/** How a dataset was written: the name of each variable in the program, in order, and what was changed. */
export type DatasetResult = { rows: number; names: readonly string[]; notes: readonly Note[] }
