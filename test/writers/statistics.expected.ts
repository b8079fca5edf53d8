/** What a program must read of a dataset: what was submitted, or else a note says what is different. */
import { expect } from 'bun:test'
import { dayNumber, secondsOf } from '#kernel/calendar'
import type { Cell } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import type { DatasetResult, Variable } from '#writers/dataset'
import { plain, type ReadCell } from './statistics.readers'

/** How the cells of a program are compared. */
export type Comparison = {
  /** Whether the program drops spaces at the end of texts. */
  trims: boolean
  /** Whether the format pads texts with spaces. */
  isPadded: boolean
  /** Numbers of the program in the units of cells: days and microseconds since 1970, seconds since midnight. */
  day(value: number): number
  moment(value: number): number
  /** The most microseconds by which a moment differs: the arithmetic of some programs rounds. */
  off: number
  time(value: number): number
}

const trimmed = (text: string): string => text.replace(/ +$/, '')

const noted = ({ notes }: DatasetResult, variable: Variable): string =>
  notes.flatMap((note) => (note.variable === variable.name ? [note.text] : [])).join('\n')

/** The number that a cell is, in the units of `Comparison`. */
function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'boolean' || typeof cell === 'bigint') return Number(cell)
  if (typeof cell !== 'object' || cell === null) return undefined
  if ('at' in cell) return cell.at
  return 'day' in cell ? dayNumber(cell.day) : secondsOf(cell.time)
}

/** Compares the cells of a variable with what was submitted. */
export function expectCells(
  variable: Variable,
  submitted: readonly Cell[],
  read: readonly ReadCell[],
  written: DatasetResult,
  comparison: Comparison,
): void {
  const notes = noted(written, variable)
  const isText = variable.kind === 'text' || notes.includes('the whole variable is text')
  expect(read.length).toBe(submitted.length)
  for (const [row, cell] of submitted.entries()) {
    const found = read[row]!
    if (isText) {
      const wanted = cell === null || cell === undefined ? '' : textOf(cell).toWellFormed()
      const text = String(plain(found))
      expect(comparison.trims ? trimmed(text) : text).toBe(comparison.trims ? trimmed(wanted) : wanted)
      if (comparison.isPadded && wanted.endsWith(' ')) expect(notes).toMatch(/Spaces at the end/)
    } else if (cell === null || cell === undefined) expect(found).toEqual({ missing: '.' })
    else expectNumber(variable, cell, found, notes, comparison)
  }
}

function expectNumber(
  { kind, values = [] }: Variable,
  cell: Cell,
  found: ReadCell,
  notes: string,
  units: Comparison,
): void {
  const wanted = numberOf(cell)!
  if ('missing' in found && found.missing !== '.') {
    expect(values.some(({ value, isMissing }) => isMissing && value === wanted)).toBe(true)
    expect(notes).toContain(`${found.missing} is ${wanted}`)
  } else if ('missing' in found) expect(notes).toContain(`(${wanted})`)
  else if (kind === 'moment') {
    const off = Math.abs(units.moment(Number(plain(found))) - wanted)
    expect(off).toBeLessThanOrEqual(notes.includes('wrong by a microsecond') ? 1 : units.off)
  } else if (kind === 'number') expect(Number(plain(found)) + 0).toBe(wanted + 0)
  else expect(units[kind === 'day' ? 'day' : 'time'](Number(plain(found)))).toBe(wanted)
}

/** The label in the file is the whole one, or its beginning and a note has all of it. */
export function expectLabel(variable: Variable, label: string, written: DatasetResult): void {
  const whole = variable.label.toWellFormed()
  if (label === whole) return
  expect([label, whole.startsWith(label), label.length > 70]).toEqual([label, true, true])
  expect(noted(written, variable)).toContain(variable.label)
}

/** Every label of a value is in the file, or else a note has all of it. */
export function expectValueLabels(
  variable: Variable,
  labels: ReadonlyMap<string | number, string>,
  written: DatasetResult,
): void {
  const notes = noted(written, variable)
  for (const { value, label } of variable.values ?? []) {
    const letter = notes.match(new RegExp(`(\\.[a-z]) is ${value}(?=, |\\.$)`, 'm'))?.[1]
    const found = labels.get(letter ?? value) ?? labels.get(String(value).replace(/ +$/, ''))
    if (found === label.toWellFormed() || label === '') continue
    const isAmongNotes = notes.includes(label) || notes.includes('labels are notes of the variable')
    if (!isAmongNotes)
      throw new Error(`${value} = ${label} is neither in ${JSON.stringify([...labels])} nor in ${notes}`)
  }
}
