/** What each variable of a dataset of Stata is: its name, type, format, labels, missing values and notes. */
import { textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import { beginning, STATA_NAMES, validNames } from '#writers/names'
import { countText, type NoteList, rowsText, valueText } from '#writers/noteList'
import { type NumberType, wholeType } from './scale'
import { type DtaLabel, labelsOf } from './valueLabels'

export type DtaVariable = {
  name: string
  type: NumberType | 'text' | 'strL'
  /** Bytes of a cell. */
  width: number
  format: string
  label: string
  values: readonly DtaLabel[]
  /** The letters, 1 for `.a`, of the numbers that mean “missing”. */
  letters: ReadonlyMap<number, number>
  /** What Stata shows for the command `notes`: what has no room elsewhere. */
  notes: readonly string[]
}

const LABEL_CHARACTERS = 80
/** The longest text of a variable of fixed width, in bytes. */
const TEXT_WIDTH = 2_045
const WIDTHS = { byte: 1, int: 2, long: 4, double: 8, strL: 8 } as const
const WHOLE_FORMATS = { byte: '%8.0g', int: '%8.0g', long: '%12.0g', double: '%18.0g' } as const

/** Plans the variables of the columns. */
export function planDta(columns: readonly Column[], notes: NoteList): DtaVariable[] {
  const names = validNames(
    STATA_NAMES,
    columns.map(({ variable }) => variable.name),
  )
  return columns.map((column, at) => planColumn(column, names[at]!, notes))
}

function planColumn(column: Column, name: string, notes: NoteList): DtaVariable {
  const { variable, kind, tally } = column
  const own: string[] = name === variable.name ? [] : [`Column name: ${textOf(variable.name)}`]
  const label = beginning(variable.label, LABEL_CHARACTERS, 'characters')
  if (label !== variable.label) {
    notes.add(
      variable.name,
      `Stata holds labels of ${LABEL_CHARACTERS} characters. All of the label: "${variable.label}"`,
    )
    own.push(variable.label)
  }
  if (variable.unit) own.push(`Unit: ${variable.unit}`)
  const type = typeOf(column)
  const shared = { name, type, label, format: formatOf(column, type) }
  if (kind === 'text') {
    noteTexts(column, notes)
    own.push(...column.values.map((each) => `${each.value} = ${each.label}`))
    return {
      ...shared,
      width: type === 'strL' ? WIDTHS.strL : Math.max(tally.longest, 1),
      values: [],
      letters: new Map(),
      notes: own,
    }
  }
  const { values, letters, variableNotes } = labelsOf(column, notes)
  return { ...shared, width: type === 'text' ? 1 : WIDTHS[type], values, letters, notes: [...own, ...variableNotes] }
}

function typeOf({ kind, tally }: Column): DtaVariable['type'] {
  if (kind === 'text') return tally.longest > TEXT_WIDTH ? 'strL' : 'text'
  // Stata computes with milliseconds in doubles only.
  if (kind === 'moment' || kind === 'time' || !tally.isWhole) return 'double'
  return tally.least > tally.most ? 'byte' : wholeType(tally.least, tally.most)
}

function formatOf({ kind, tally, variable }: Column, type: DtaVariable['type']): string {
  if (kind === 'day') return '%tdCCYY-NN-DD'
  if (kind === 'time') return '%tcHH:MM:SS'
  if (kind === 'moment') return '%tcCCYY-NN-DD_HH:MM:SS.sss'
  if (type === 'strL') return '%-50s'
  if (type === 'text') return `%-${Math.min(Math.max(tally.longest, 9), 50)}s`
  const decimals = Math.min(variable.decimals ?? 0, 15)
  if (tally.isWhole && !decimals) return WHOLE_FORMATS[type]
  return decimals && tally.fraction <= decimals ? `%${decimals + 10}.${decimals}f` : '%10.0g'
}

function noteTexts({ variable, values, tally: { empty, nuls } }: Column, notes: NoteList): void {
  const { name } = variable
  if (values.length)
    notes.add(
      name,
      'Stata labels whole numbers only. The codes are texts, as they were entered, and their labels are notes of the variable.',
    )
  const missing = values.filter(({ isMissing }) => isMissing).map(({ value }) => valueText(value))
  if (missing.length)
    notes.add(
      name,
      `Stata has no missing values of texts. These codes mean that there is no answer: ${missing.join(', ')}.`,
    )
  if (empty.count)
    notes.add(name, `${countText(empty.count, 'empty text')} cannot be told from blanks (${rowsText(empty)}).`)
  if (nuls.count) notes.add(name, `The character NUL is ␀ in ${countText(nuls.count, 'text')} (${rowsText(nuls)}).`)
}
