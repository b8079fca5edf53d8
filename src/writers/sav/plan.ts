/** What each variable of a system file of SPSS is: its name, width, format, labels and missing values. */
import { textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import { beginning, SPSS_NAMES, validNames } from '#writers/names'
import { countText, type NoteList, rowsText } from '#writers/noteList'
import { type MissingValues, missingOf } from './missing'
import { TEXT_WIDTH } from './scale'
import { labelsOf } from './valueLabels'

const LABEL_BYTES = 255

export type SavVariable = {
  name: string
  /** Bytes of a text; 0 of a number. */
  width: number
  label: string
  format: { type: number; width: number; decimals: number }
  measure: Column['variable']['measure']
  /** The width of the column on the screen, in characters. */
  shown: number
  values: readonly { value: string | number; label: string }[]
  missing: MissingValues
  /** Custom attributes, which hold what has no room elsewhere. */
  attributes: readonly { name: string; values: readonly string[] }[]
}

/** The codes of formats. SDATE is `2026/03/01`, the one date that people of all countries read in the same way. */
const [A, F, TIME, DATETIME, SDATE] = [1, 5, 21, 22, 39]

function formatOf({ kind, tally, variable }: Column): SavVariable['format'] {
  if (kind === 'day') return { type: SDATE, width: 10, decimals: 0 }
  if (kind === 'time') return { type: TIME, width: 8, decimals: 0 }
  if (kind === 'moment') return { type: DATETIME, width: tally.isWhole ? 20 : 24, decimals: tally.isWhole ? 0 : 3 }
  const decimals = Math.min(Math.max(variable.decimals ?? 0, tally.fraction), 16)
  const digits = tally.least > tally.most ? 1 : Math.max(wholeDigits(tally.least), wholeDigits(tally.most))
  return { type: F, width: Math.min(Math.max(digits + (decimals ? decimals + 1 : 0), 8), 40), decimals }
}

/** The characters of a number before its point. */
const wholeDigits = (value: number): number =>
  Math.floor(Math.log10(Math.max(Math.abs(value), 1))) + 1 + (value < 0 ? 1 : 0)

/**
 * Plans the variables of the columns. A text that is too long for a variable of SPSS has several, in order, behind each other. Returns those of
 * each column, the first of which has its name.
 */
export function planSav(columns: readonly Column[], notes: NoteList): SavVariable[][] {
  const names = validNames(
    SPSS_NAMES,
    columns.map(({ variable }) => variable.name),
  )
  const wanted = columns.flatMap(({ tally }, at) => tally.widths.slice(1).map((_, part) => `${names[at]}_${part + 2}`))
  const partNames = validNames(SPSS_NAMES, [...names, ...wanted]).slice(names.length)
  return columns.map((column, at) => {
    const planned = planColumn(column, names[at]!, notes)
    const parts = column.tally.widths
      .slice(1)
      .map((width, part) => planPart(planned, partNames.shift()!, width, part + 2))
    if (parts.length)
      notes.add(
        column.variable.name,
        `SPSS holds texts of ${TEXT_WIDTH} bytes. The longest one has ${column.tally.longest}: it continues in ${parts.map(({ name }) => name).join(', ')}.`,
      )
    return [planned, ...parts]
  })
}

function planColumn(column: Column, name: string, notes: NoteList): SavVariable {
  const { variable, kind, tally } = column
  const { values, width, full } = labelsOf(column, notes)
  const label = beginning(variable.label, LABEL_BYTES, 'bytes')
  const isText = kind === 'text'
  const format = isText ? { type: A, width: Math.min(width, LABEL_BYTES), decimals: 0 } : formatOf(column)
  if (label !== variable.label)
    notes.add(variable.name, `SPSS holds labels of ${LABEL_BYTES} bytes. All of the label: "${variable.label}"`)
  if (isText) noteTexts(variable.name, tally, notes)
  return {
    name,
    width: isText ? width : 0,
    label,
    format,
    measure: isText && variable.measure === 'scale' ? 'nominal' : variable.measure,
    shown: Math.min(Math.max(isText ? width : format.width, 8), 40),
    values,
    missing: missingOf(column, width, notes),
    attributes: [
      { name: 'ColumnName', values: name === variable.name ? [] : [textOf(variable.name)] },
      { name: 'FullLabel', values: label === variable.label ? [] : [variable.label] },
      { name: 'Unit', values: variable.unit ? [variable.unit] : [] },
      { name: 'FullValueLabels', values: full },
    ].filter(({ values }) => values.length > 0),
  }
}

function noteTexts(name: string, { empty, trailingSpaces, nuls }: Column['tally'], notes: NoteList): void {
  if (empty.count)
    notes.add(name, `${countText(empty.count, 'empty text')} cannot be told from blanks (${rowsText(empty)}).`)
  if (trailingSpaces.count)
    notes.add(
      name,
      `Spaces at the end of ${countText(trailingSpaces.count, 'text')} cannot be told from padding (${rowsText(trailingSpaces)}).`,
    )
  if (nuls.count) notes.add(name, `The character NUL is ␀ in ${countText(nuls.count, 'text')} (${rowsText(nuls)}).`)
}

const planPart = (first: SavVariable, name: string, width: number, part: number): SavVariable => ({
  ...first,
  name,
  width,
  label: `Part ${part} of ${first.name}`,
  format: { type: A, width: Math.min(width, LABEL_BYTES), decimals: 0 },
  shown: 8,
  values: [],
  missing: { discrete: [] },
  attributes: [],
})
