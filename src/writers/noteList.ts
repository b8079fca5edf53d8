/** The notes of a dataset that is being written: what its format could not hold as it is. */
import type { Note } from './dataset'
import { beginning } from './names'

/** The cells of a column that something is true of, with the places of the first few. Rows count from 1, without the headers. */
export type Cells = { count: number; first: string[] }

const LISTED = 10
const SHOWN = 100

export const noCells = (): Cells => ({ count: 0, first: [] })

/** Counts a cell. Notes are read by more people than the data: they have rows, and no texts that a person entered. */
export function countCell(cells: Cells, row: number, value?: number): void {
  cells.count += 1
  if (cells.first.length < LISTED) cells.first.push(value === undefined ? `${row}` : `${row} (${value})`)
}

/** Where cells are, as a part of a sentence: `row 3` or `rows 3, 9, 12 and 40 more`. */
export const rowsText = ({ count, first }: Cells): string =>
  `row${count === 1 ? '' : 's'} ${first.join(', ')}${count > first.length ? ` and ${count - first.length} more` : ''}`

/** A number of things, as a part of a sentence. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`

/** The value of an option as a note shows it. */
export function valueText(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = beginning(value, SHOWN, 'characters')
  return `"${text === value ? text : `${text}…`}"`
}

/** Collects notes. */
export function noteList() {
  const notes: Note[] = []
  return { notes, add: (variable: string, text: string) => void notes.push({ variable, text }) }
}

export type NoteList = ReturnType<typeof noteList>
