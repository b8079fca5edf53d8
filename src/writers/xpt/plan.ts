/** What each variable of a SAS dataset is: its name, width, label, format and missing values. */
import { textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import type { ValueLabel } from '#writers/dataset'
import { beginning, SAS_NAMES, validNames } from '#writers/names'
import { type NoteList, valueText } from '#writers/noteList'
import { noteTexts } from '#writers/textNotes'

export type SasFormat = { name: string; width: number; decimals: number }

export type SasVariable = {
  name: string
  isText: boolean
  /** Bytes of a cell. */
  width: number
  label: string
  format: SasFormat | undefined
  /** The values of the first variable of a column. */
  values: readonly ValueLabel[]
  /** The letters, 1 for `.A`, of the numbers that mean “missing”. */
  letters: ReadonlyMap<number, number>
}

/** The widest variable of text, in bytes. */
export const TEXT_WIDTH = 32_767
const LABEL_BYTES = 256
const MOST_LETTERS = 26

const FORMATS: Record<Column['kind'], SasFormat | undefined> = {
  text: undefined,
  number: undefined,
  day: { name: 'DATE', width: 9, decimals: 0 },
  moment: { name: 'DATETIME', width: 26, decimals: 6 },
  time: { name: 'TIME', width: 8, decimals: 0 },
}

/** Plans the variables of each column: more than one if its texts are too long for one. */
export function planXpt(columns: readonly Column[], notes: NoteList): SasVariable[][] {
  const widths = columns.map(({ kind, tally }) => (kind === 'text' ? tally.widths : [0]))
  const wanted = columns.map(({ variable }) => variable.name)
  // The names of further parts come last, so that they do not change those of columns.
  const further = widths.flatMap((each, at) => each.slice(1).map((_, part) => `${wanted[at]}_part${part + 2}`))
  const names = validNames(SAS_NAMES, [...wanted, ...further])
  const spare = names.slice(columns.length)
  return columns.map((column, at) => {
    const first = planColumn(column, names[at]!, notes)
    const parts = widths[at]!.slice(1).map((width, part) => partOf(first, spare.shift()!, width, part + 2))
    if (parts.length)
      notes.add(
        column.variable.name,
        `SAS holds texts of ${TEXT_WIDTH} bytes. The longest one has ${column.tally.longest}: it continues in ${parts.map(({ name }) => name).join(', ')}.`,
      )
    return [first, ...parts]
  })
}

function planColumn(column: Column, name: string, notes: NoteList): SasVariable {
  const { variable, kind, tally } = column
  const isText = kind === 'text'
  const label = beginning(variable.label, LABEL_BYTES, 'bytes')
  if (label !== variable.label)
    notes.add(variable.name, `SAS holds labels of ${LABEL_BYTES} bytes. All of the label: "${variable.label}"`)
  if (name !== variable.name) notes.add(variable.name, `The name in SAS is ${name}.`)
  if (isText) noteTexts(column, { emptyIsBlank: true, endIsTrimmed: true }, notes)
  return {
    name,
    isText,
    width: isText ? Math.max(tally.widths[0]!, 1) : 8,
    label,
    format: FORMATS[kind],
    values: column.values,
    letters: lettersOf(column, notes),
  }
}

const partOf = (first: SasVariable, name: string, width: number, part: number): SasVariable => ({
  ...first,
  name,
  width,
  label: `Part ${part} of ${first.name}`,
  values: [],
})

/** The special missing values of a variable of numbers. */
function lettersOf({ variable, kind, values }: Column, notes: NoteList): ReadonlyMap<number, number> {
  const missing = values.flatMap(({ value, isMissing }) => (isMissing ? [value] : []))
  if (kind !== 'number') {
    if (missing.length)
      notes.add(
        variable.name,
        `SAS has no missing values of texts. These codes mean that there is no answer: ${missing.map(valueText).join(', ')}.`,
      )
    return new Map()
  }
  const numbers = missing.flatMap((value) => (typeof value === 'number' ? [value] : []))
  const listed = numbers.slice(0, MOST_LETTERS)
  if (listed.length)
    notes.add(
      variable.name,
      `Missing values: ${listed.map((value, at) => `${letterOf(at + 1)} is ${value}`).join(', ')}.`,
    )
  if (numbers.length > MOST_LETTERS)
    notes.add(
      variable.name,
      `SAS has ${MOST_LETTERS} kinds of missing values. These stay numbers: ${numbers.slice(MOST_LETTERS).join(', ')}.`,
    )
  return new Map(listed.map((value, at) => [value, at + 1]))
}

/** A missing value as SAS programs write it: `.A`. */
export const letterOf = (letter: number): string => `.${String.fromCharCode(0x40 + letter)}`

/** The name of a dataset in SAS. */
export const datasetName = (name: string): string => validNames(SAS_NAMES, [textOf(name)])[0]!
