/** The extension records of a system file of SPSS: each has a number, the size of its items, and their count. */
import { type Bytes, bytesTo } from '#writers/bytes'
import type { PlacedVariable } from './places'

const MEASURES = { nominal: 1, ordinal: 2, scale: 3 } as const
const [LEFT, RIGHT] = [0, 1]
/** The second-lowest double: the lower end of an open range. */
const LOWEST = -1.7976931348623155e308
const UTF8 = 65_001

/** Writes the extension records in the order of their numbers. */
export function writeExtensions(bytes: Bytes, header: { rows: number }, variables: readonly PlacedVariable[]): void {
  head(bytes, 3, 4, 8)
  for (const value of [1, 0, 0, -1, 1, 1, 2, UTF8]) bytes.i32(value)
  head(bytes, 4, 8, 3)
  for (const value of [-Number.MAX_VALUE, Number.MAX_VALUE, LOWEST]) bytes.f64(value)
  writeDisplay(bytes, variables)
  textRecord(bytes, 13, variables.map(({ short, name }) => `${short}=${name}`).join('\t'))
  const long = variables.filter(({ segments }) => segments.length > 1)
  textRecord(bytes, 14, long.map(({ short, width }) => `${short}=${String(width).padStart(5, '0')}\0\t`).join(''))
  head(bytes, 16, 8, 2)
  bytes.u64(1)
  bytes.u64(header.rows)
  textRecord(bytes, 18, attributesOf(variables))
  textRecord(bytes, 20, 'UTF-8')
  record(bytes, 21, (into) => writeLongLabels(into, variables))
  record(bytes, 22, (into) => writeLongMissing(into, variables))
}

function head(bytes: Bytes, subtype: number, size: number, count: number): void {
  for (const value of [7, subtype, size, count]) bytes.i32(value)
}

/** A record of bytes; none if there are none. */
function record(bytes: Bytes, subtype: number, write: (into: Bytes) => void): void {
  const pieces: Uint8Array[] = []
  const into = bytesTo({ write: (piece) => void pieces.push(Uint8Array.from(piece)) })
  write(into)
  into.flush()
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (!length) return
  head(bytes, subtype, 1, length)
  for (const piece of pieces) bytes.bytes(piece)
}

const textRecord = (bytes: Bytes, subtype: number, text: string): void =>
  record(bytes, subtype, (into) => into.text(text))

/** How each variable is shown, the further segments of a long text included. */
function writeDisplay(bytes: Bytes, variables: readonly PlacedVariable[]): void {
  const all = variables.flatMap((variable) => variable.segments.map(() => variable))
  head(bytes, 11, 4, all.length * 3)
  for (const { measure, shown, width } of all) {
    bytes.i32(MEASURES[measure])
    bytes.i32(shown)
    bytes.i32(width ? LEFT : RIGHT)
  }
}

/** A value ends with an apostrophe and a line feed, so it is one line. */
const attributeValue = (value: string): string => `'${value.replace(/[\r\n]+/g, ' ')}'\n`

const attributesOf = (variables: readonly PlacedVariable[]): string =>
  variables
    .filter(({ attributes }) => attributes.length)
    .map(({ name, attributes }) => {
      const listed = attributes.map((each) => `${each.name}(${each.values.map(attributeValue).join('')})`)
      return `${name}:${listed.join('')}`
    })
    .join('/')

function sized(into: Bytes, text: string): void {
  const encoded = Buffer.from(text)
  into.i32(encoded.length)
  into.bytes(encoded)
}

function writeLongLabels(into: Bytes, variables: readonly PlacedVariable[]): void {
  for (const { name, width, values } of variables) {
    if (width <= 8 || !values.length) continue
    sized(into, name)
    into.i32(width)
    into.i32(values.length)
    for (const { value, label } of values) {
      into.i32(width)
      into.padded(String(value), width, 0x20)
      sized(into, label)
    }
  }
}

function writeLongMissing(into: Bytes, variables: readonly PlacedVariable[]): void {
  for (const { name, width, missing } of variables) {
    if (width <= 8 || !missing.discrete.length) continue
    sized(into, name)
    into.u8(missing.discrete.length)
    into.i32(8)
    for (const value of missing.discrete) into.padded(String(value), 8, 0x20)
  }
}
