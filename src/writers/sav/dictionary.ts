/** The dictionary of a system file of SPSS: the records before its cases (PSPP's developer manual, "System File Format"). */
import type { Instant } from '#kernel/time'
import type { Bytes } from '#writers/bytes'
import { beginning } from '#writers/names'
import { BIAS } from './cases'
import { writeExtensions } from './extensions'
import { type PlacedVariable, recordsOf } from './places'
import type { SavVariable } from './plan'

export type SavHeader = {
  label: string
  rows: number
  created: Instant /** Name and version of the program that writes. */
  product: string
}

/** The bytes of the label of a file. */
export const FILE_LABEL = 64
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Writes everything before the cases. */
export function writeDictionary(bytes: Bytes, header: SavHeader, variables: readonly PlacedVariable[]): void {
  const last = variables.at(-1)
  const elements = last ? last.index - 1 + last.segments.reduce((sum, width) => sum + recordsOf(width), 0) : 0
  writeHeader(bytes, header, elements)
  for (const variable of variables) writeVariable(bytes, variable)
  for (const variable of variables) if (variable.width <= 8) writeValueLabels(bytes, variable)
  writeExtensions(bytes, header, variables)
  bytes.i32(999)
  bytes.i32(0)
}

function writeHeader(bytes: Bytes, { label, rows, created, product }: SavHeader, elements: number): void {
  const when = new Date(created / 1000)
  const iso = when.toISOString()
  bytes.text('$FL2')
  bytes.padded(beginning(`@(#) SPSS DATA FILE ${product}`, 60, 'bytes'), 60, 0x20)
  bytes.i32(2)
  bytes.i32(elements)
  bytes.i32(1)
  bytes.i32(0)
  bytes.i32(rows)
  bytes.f64(BIAS)
  bytes.text(`${iso.slice(8, 10)} ${MONTHS[when.getUTCMonth()]} ${iso.slice(2, 4)}${iso.slice(11, 19)}`)
  bytes.padded(beginning(label, FILE_LABEL, 'bytes'), FILE_LABEL, 0x20)
  bytes.fill(3)
}

const formatCode = ({ type, width, decimals }: SavVariable['format']): number => (type << 16) | (width << 8) | decimals

function writeVariable(bytes: Bytes, variable: PlacedVariable): void {
  for (const [at, width] of variable.segments.entries()) {
    const isFirst = at === 0
    const label = isFirst ? Buffer.from(variable.label) : Buffer.alloc(0)
    const missing = isFirst && width <= 8 ? missingCells(variable) : { count: 0, cells: [] }
    const format = formatCode(variable.segments.length > 1 ? { ...variable.format, width } : variable.format)
    bytes.i32(2)
    bytes.i32(width)
    bytes.i32(label.length ? 1 : 0)
    bytes.i32(missing.count)
    bytes.i32(format)
    bytes.i32(format)
    bytes.padded(`@${Number(variable.short.slice(1)) + at}`, 8, 0x20)
    if (label.length) {
      bytes.i32(label.length)
      bytes.bytes(label)
      bytes.fill(-label.length & 3)
    }
    for (const cell of missing.cells) writeValue(bytes, cell)
    for (let record = 1; record < recordsOf(width); record++) writeContinuation(bytes)
  }
}

/** A variable record that stands for 8 more bytes of the variable before it. */
function writeContinuation(bytes: Bytes): void {
  bytes.i32(2)
  bytes.i32(-1)
  bytes.fill(16)
  bytes.fill(8, 0x20)
}

/** The missing values, with the count that says what they are: a range is -2, one with a further value -3. */
function missingCells({ missing: { range, discrete } }: SavVariable): { count: number; cells: (string | number)[] } {
  if (!range) return { count: discrete.length, cells: [...discrete] }
  return { count: -2 - discrete.length, cells: [...range, ...discrete] }
}

function writeValue(bytes: Bytes, value: string | number): void {
  if (typeof value === 'number') bytes.f64(value)
  else bytes.padded(value, 8, 0x20)
}

/** The labels of numbers and short texts; those of longer ones are in an extension record. */
function writeValueLabels(bytes: Bytes, { values, index }: PlacedVariable): void {
  if (!values.length) return
  bytes.i32(3)
  bytes.i32(values.length)
  for (const { value, label } of values) {
    const encoded = Buffer.from(label)
    writeValue(bytes, value)
    bytes.u8(encoded.length)
    bytes.bytes(encoded)
    bytes.fill(-(encoded.length + 1) & 7, 0x20)
  }
  bytes.i32(4)
  bytes.i32(1)
  bytes.i32(index)
}
