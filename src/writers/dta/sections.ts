/** The sections of a Stata dataset of format 118, apart from the data (Stata's help, `dta`). */
import type { Instant } from '#kernel/time'
import { type Bytes, bytesTo } from '#writers/bytes'
import { beginning } from '#writers/names'
import type { DtaVariable } from './plan'

export type DtaHeader = { label: string; rows: number; created: Instant }

export const DATA_LABEL = 80
/** Fields of names, formats and labels: the characters of Stata's limits with 4 bytes each, and a NUL. */
const [NAME, FORMAT, LABEL] = [129, 57, 321]
const TYPES = { strL: 32_768, double: 65_526, long: 65_528, int: 65_529, byte: 65_530 } as const
/** The most bytes of a note. */
const NOTE_BYTES = 67_000
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** What is written, as one array of bytes. */
function collectBytes(write: (into: Bytes) => void): Uint8Array {
  const pieces: Uint8Array[] = []
  const into = bytesTo({ write: (piece) => void pieces.push(Uint8Array.from(piece)) })
  write(into)
  into.flush()
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

const section = (tag: string, write: (into: Bytes) => void): Uint8Array =>
  collectBytes((into) => {
    into.text(`<${tag}>`)
    write(into)
    into.text(`</${tag}>`)
  })

/** The beginning, with the number of variables and rows. */
export function headerOf({ label, rows, created }: DtaHeader, variables: number): Uint8Array {
  const when = new Date(created / 1000)
  const iso = when.toISOString()
  const timestamp = `${iso.slice(8, 10)} ${MONTHS[when.getUTCMonth()]} ${iso.slice(0, 4)} ${iso.slice(11, 16)}`
  return collectBytes((into) => {
    into.text('<stata_dta><header><release>118</release><byteorder>LSF</byteorder><K>')
    into.u16(variables)
    into.text('</K><N>')
    into.u64(rows)
    into.text('</N><label>')
    const encoded = Buffer.from(beginning(label, DATA_LABEL, 'characters'))
    into.u16(encoded.length)
    into.bytes(encoded)
    into.text('</label><timestamp>')
    into.u8(timestamp.length)
    into.text(`${timestamp}</timestamp></header>`)
  })
}

/** Where the sections are, in their order, the beginning and the end of the file included. */
export const mapOf = (offsets: readonly number[]): Uint8Array =>
  section('map', (into) => {
    for (const offset of offsets) into.u64(offset)
  })

/** The bytes of the map with its tags. */
export const MAP_BYTES = 14 * 8 + '<map></map>'.length

/** The sections from the types of the variables to their characteristics. */
export function descriptionSections(variables: readonly DtaVariable[]): Uint8Array[] {
  const fields = (tag: string, length: number, value: (variable: DtaVariable) => string) =>
    section(tag, (into) => {
      for (const variable of variables) into.padded(value(variable), length)
    })
  return [
    section('variable_types', (into) => {
      for (const { type, width } of variables) into.u16(type === 'text' ? width : TYPES[type])
    }),
    fields('varnames', NAME, ({ name }) => name),
    section('sortlist', (into) => into.fill((variables.length + 1) * 2)),
    fields('formats', FORMAT, ({ format }) => format),
    fields('value_label_names', NAME, ({ name, values }) => (values.length ? name : '')),
    fields('variable_labels', LABEL, ({ label }) => label),
    section('characteristics', (into) => {
      for (const variable of variables) writeNotes(into, variable)
    }),
  ]
}

/** Notes are characteristics: how many there are, and each by its number. */
function writeNotes(into: Bytes, { name, notes }: DtaVariable): void {
  if (!notes.length) return
  for (const [number, text] of [String(notes.length), ...notes].entries()) {
    const encoded = Buffer.from(beginning(text, NOTE_BYTES, 'bytes'))
    into.text('<ch>')
    into.u32(2 * NAME + encoded.length + 1)
    into.padded(name, NAME)
    into.padded(`note${number}`, NAME)
    into.bytes(encoded)
    into.text('\0</ch>')
  }
}

/** The value labels: a set for each variable that has any, with the name of the variable. */
export const valueLabelsSection = (variables: readonly DtaVariable[]): Uint8Array =>
  section('value_labels', (into) => {
    for (const variable of variables) if (variable.values.length) writeSet(into, variable)
  })

function writeSet(into: Bytes, { name, values }: DtaVariable): void {
  const texts = values.map(({ label }) => Buffer.from(`${label}\0`))
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  into.text('<lbl>')
  into.u32(8 + 8 * values.length + length)
  into.padded(name, NAME)
  into.fill(3)
  into.u32(values.length)
  into.u32(length)
  let offset = 0
  for (const text of texts) {
    into.u32(offset)
    offset += text.length
  }
  for (const { value } of values) into.i32(value)
  for (const text of texts) into.bytes(text)
  into.text('</lbl>')
}
