/** The data of a Stata dataset: rows of fixed length, and behind them the texts that have any length. */
import type { Bytes } from '#writers/bytes'
import type { Cell } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import type { DtaVariable } from './plan'
import { MISSING, missingDouble, type NumberType } from './scale'

/** Writes a cell of a row. `row` counts from 1. */
export type CellWriter = (cell: Cell, row: number) => void

/** A function for each column, which writes its cell into the row. */
export const cellWriters = (
  bytes: Bytes,
  columns: readonly Column[],
  variables: readonly DtaVariable[],
): CellWriter[] => variables.map((variable, at) => cellWriter(bytes, columns[at]!, variable, at + 1))

/** @param number that of the variable, from 1 */
function cellWriter(bytes: Bytes, { number }: Column, variable: DtaVariable, place: number): CellWriter {
  const { type, width, letters } = variable
  if (type === 'text') return (cell) => bytes.padded(cell === null || cell === undefined ? '' : textOf(cell), width)
  if (type === 'strL') return (cell, row) => writeReference(bytes, hasText(cell) ? place : 0, hasText(cell) ? row : 0)
  const write = numberWriter(bytes, type)
  return (cell) => {
    const value = cell === null || cell === undefined ? undefined : number(cell)
    const letter = value === undefined ? 0 : letters.get(value)
    if (letter === undefined) write.number(value!)
    else write.missing(letter)
  }
}

/** What writes the numbers of a type, and its missing values: 0 for `.`, 1 for `.a`. */
function numberWriter(bytes: Bytes, type: NumberType) {
  if (type === 'double') return { number: bytes.f64, missing: (letter: number) => bytes.f64(missingDouble(letter)) }
  const number = { byte: bytes.i8, int: bytes.i16, long: bytes.i32 }[type]
  return { number, missing: (letter: number) => number(MISSING[type] + letter) }
}

const hasText = (cell: Cell): boolean => cell !== null && cell !== undefined && textOf(cell) !== ''

/** Where the text of a cell is: the number of its variable and row; both are 0 if there is none. */
function writeReference(bytes: Bytes, variable: number, row: number): void {
  bytes.u16(variable)
  bytes.u32(row % 2 ** 32)
  bytes.u16(Math.floor(row / 2 ** 32))
}

/** The bytes of a text behind the rows, besides the text itself: its mark, reference, type, length and final NUL. */
export const TEXT_OVERHEAD = 21
/** The type of a text; the other one is for bytes that are not text. */
const TEXT = 130

/** Writes the text of a cell behind the rows; nothing if it has none. */
export function writeText(bytes: Bytes, cell: Cell, variable: number, row: number): void {
  if (cell === null || cell === undefined) return
  const text = textOf(cell)
  if (text === '') return
  bytes.text('GSO')
  bytes.u32(variable)
  bytes.u64(row)
  bytes.u8(TEXT)
  bytes.u32(Buffer.byteLength(text) + 1)
  bytes.long(text)
  bytes.u8(0)
}
