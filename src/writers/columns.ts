/** The columns of a dataset after its rows are in a spool: what kind of variable each becomes, and what occurs in it. */

import { PROGRESS_ROWS, type Progress } from './cell'
import { type FilledCell, numberIn, type Scale, textOf } from './cellNumber'
import type { Dataset, Kind, ValueLabel, Variable } from './dataset'
import { countText, type NoteList, rowsText, valueText } from './noteList'
import type { Spool } from './spool'
import { type Tally, type TallyRule, tallyOf } from './tally'

/** A column as it is written. */
export type Column = {
  variable: Variable
  /** That of the variable, or `text` if it has cells of another kind. */
  kind: Kind
  /** The values of the variable, texts if the column is of texts; each once. */
  values: readonly ValueLabel[]
  tally: Tally
  /** The number of a cell in the program's scale, undefined if it has none. Only for columns that are not of texts. */
  number(cell: FilledCell): number | undefined
}

const KINDS: Record<Kind, [one: string, many: string]> = {
  text: ['a text', 'texts'],
  number: ['a number', 'numbers'],
  day: ['a day', 'days'],
  moment: ['a moment', 'moments'],
  time: ['a time of day', 'times of day'],
}

export type ColumnRules = {
  /** The name of the program, for notes. */
  program: string
  scale: Scale
  partBytes: number
  /** The ranges of a variable in which it matters whether other numbers occur. */
  ranges?: (variable: Variable) => TallyRule['ranges']
}

/**
 * Puts the rows into the spool, and returns the columns. A column with a cell that is not of its kind becomes one of texts, because
 * nothing is lost that way; a number that the program cannot hold is missing. Both are noted.
 */
export function spoolColumns(
  { variables, rows }: Dataset,
  spool: Spool,
  rules: ColumnRules,
  notes: NoteList,
  progress?: Progress,
): Column[] {
  const ruleOf = (variable: Variable) => ({ ...rules, ranges: rules.ranges?.(variable) })
  const talliers = variables.map((variable) => tallyOf(variable.kind, ruleOf(variable)))
  for (const row of rows) {
    spool.add(row)
    const number = spool.count()
    for (let column = 0; column < talliers.length; column++) talliers[column]!.add(row[column], number)
    if (number % PROGRESS_ROWS === 0) progress?.(number)
  }
  const misfitting = variables.flatMap((_, at) => (talliers[at]!.tally.misfits.count ? [at] : []))
  const asTexts = new Map(misfitting.map((at) => [at, tallyOf('text', ruleOf(variables[at]!))]))
  if (asTexts.size) countTexts(spool, asTexts)
  return variables.map((variable, at) => {
    const { tally } = talliers[at]!
    const texts = asTexts.get(at)?.tally
    noteTally(rules.program, variable, tally, notes)
    const kind = texts ? 'text' : variable.kind
    return {
      variable: { ...variable, label: textOf(variable.label) },
      kind,
      values: distinct(variable, kind, notes),
      tally: texts ?? tally,
      number: numbering(kind, rules.scale),
    }
  })
}

/** Reads the rows once more, for the columns that turned out to be texts. */
function countTexts(spool: Spool, tallies: ReadonlyMap<number, ReturnType<typeof tallyOf>>): void {
  let number = 0
  for (const row of spool.rows()) {
    number += 1
    for (const [at, each] of tallies) each.add(row[at], number)
  }
}

function noteTally(program: string, variable: Variable, tally: Tally, notes: NoteList): void {
  const { misfits, outOfRange, inexact } = tally
  const [one, many] = KINDS[variable.kind]
  if (misfits.count) {
    const what = misfits.count === 1 ? `1 cell is not ${one}` : `${misfits.count} cells are not ${many}`
    notes.add(
      variable.name,
      `${what} that ${program} can hold (${rowsText(misfits)}). So that nothing is lost, the whole variable is text.`,
    )
  } else if (outOfRange.count) {
    const what =
      outOfRange.count === 1 ? '1 number that it cannot hold is' : `${outOfRange.count} numbers that it cannot hold are`
    notes.add(variable.name, `${program}: ${what} missing (${rowsText(outOfRange)}).`)
  }
  if (inexact.count && !misfits.count)
    notes.add(
      variable.name,
      `${countText(inexact.count, 'moment')} may be wrong by a microsecond: ${program} stores a double (${rowsText(inexact)}).`,
    )
}

/** The values that a column may have, in its kind, each once: the first label of a value counts. */
function distinct({ name, values = [] }: Variable, kind: Kind, notes: NoteList): ValueLabel[] {
  const seen = new Map<string | number, string>()
  return values.flatMap((each) => {
    const value = kind === 'text' ? textOf(each.value) : each.value
    const before = seen.get(value)
    if (before !== undefined && before !== each.label)
      notes.add(
        name,
        `${valueText(value)} has several labels. Only the first one is in the file; left out: "${each.label}".`,
      )
    if (before !== undefined) return []
    seen.set(value, each.label)
    return [{ ...each, value, label: textOf(each.label) }]
  })
}

function numbering(kind: Kind, scale: Scale): Column['number'] {
  if (kind === 'text') return () => undefined
  const read = numberIn(kind)
  return (cell) => {
    const raw = read(cell)
    return raw === undefined ? undefined : scale[kind](raw)
  }
}
