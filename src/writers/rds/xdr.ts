/**
 * Values of R as `serialize` and `saveRDS` write them: version 3, big-endian (XDR). See “R Internals”, section 1.8. Each item begins with four
 * bytes: its type, and flags.
 */

/** Types of R, and the flags that an object, its attributes, and the name of an element have. */
const [SYMBOL, PAIRS, CHARS, INTS, DOUBLES, TEXTS, LIST] = [1, 2, 9, 13, 14, 16, 19]
const [REFERENCE, END_OF_PAIRS] = [255, 254]
const [IS_OBJECT, HAS_ATTRIBUTES, HAS_TAG] = [0x100, 0x200, 0x400]
const [IN_UTF8, IN_ASCII] = [0x8000, 0x40000]

const NA_INTEGER = -(2 ** 31)
/** The number 1954 in a NaN is how R knows NA. */
const NA_DOUBLE = Buffer.from('7ff00000000007a2', 'hex')
/** A NaN that is not NA. */
const NAN = Buffer.from('7ff8000000000000', 'hex')

export type RVector =
  | { ints: readonly (number | undefined)[] }
  | { doubles: readonly (number | undefined)[] }
  | { texts: readonly (string | undefined)[] }

export type RAttributes = Readonly<Record<string, RVector & { names?: readonly string[] }>>

const int = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}

export type VectorType = 'ints' | 'doubles' | 'texts'
const TYPES: Record<VectorType, number> = { ints: INTS, doubles: DOUBLES, texts: TEXTS }

/** Returns functions that write cells of vectors. The bytes are valid until the next call. */
export function cellsOfR() {
  let buffer = Buffer.allocUnsafe(64)
  return {
    int(value: number | undefined): Uint8Array {
      buffer.writeInt32BE(value ?? NA_INTEGER)
      return buffer.subarray(0, 4)
    },
    double(value: number | undefined): Uint8Array {
      if (value === undefined) return NA_DOUBLE
      if (Number.isNaN(value)) return NAN
      buffer.writeDoubleBE(value)
      return buffer.subarray(0, 8)
    },
    text(value: string | undefined): Uint8Array {
      const room = 8 + (value?.length ?? 0) * 3
      if (buffer.length < room) buffer = Buffer.allocUnsafe(room)
      const length = value ? buffer.write(value, 8) : 0
      const isAscii = length === value?.length
      buffer.writeInt32BE(value === undefined ? CHARS : CHARS | (isAscii ? IN_ASCII : IN_UTF8))
      buffer.writeInt32BE(value === undefined ? -1 : length, 4)
      return buffer.subarray(0, 8 + length)
    },
  }
}

/** Returns functions that write the items of one file, in the order in which they are called. */
export function itemsOfR() {
  /** The number of each name that was written: later it is a reference. */
  const symbols = new Map<string, number>()
  const cells = cellsOfR()
  const bytesOf = (bytes: Uint8Array) => Buffer.from(bytes)

  const symbol = (name: string): Buffer => {
    const known = symbols.get(name)
    if (known !== undefined) return int((known << 8) | REFERENCE)
    symbols.set(name, symbols.size + 1)
    return Buffer.concat([int(SYMBOL), cells.text(name)])
  }
  const head = (type: VectorType, length: number, isObject: boolean, hasAttributes: boolean): Buffer =>
    Buffer.concat([int(TYPES[type] | (isObject ? IS_OBJECT : 0) | (hasAttributes ? HAS_ATTRIBUTES : 0)), int(length)])

  const vector = (value: RAttributes[string]): Buffer => {
    const [type, length, bodies] =
      'ints' in value
        ? (['ints', value.ints.length, value.ints.map((each) => bytesOf(cells.int(each)))] as const)
        : 'doubles' in value
          ? (['doubles', value.doubles.length, value.doubles.map((each) => bytesOf(cells.double(each)))] as const)
          : (['texts', value.texts.length, value.texts.map((each) => bytesOf(cells.text(each)))] as const)
    const { names } = value
    const tail = names ? [attributes({ names: { texts: names } })] : []
    return Buffer.concat([head(type, length, false, names !== undefined), ...bodies, ...tail])
  }
  const attributes = (all: RAttributes): Buffer =>
    Buffer.concat([
      ...Object.entries(all).flatMap(([name, value]) => [int(PAIRS | HAS_TAG), symbol(name), vector(value)]),
      int(END_OF_PAIRS),
    ])
  return {
    /** What a file begins with: the version, that of R which wrote it and of the first that reads it, and the encoding. */
    start: (): Buffer =>
      Buffer.concat([Buffer.from('X\n'), int(3), int(0x040200), int(0x030500), int(5), Buffer.from('UTF-8')]),
    /** The beginning of a list of so many vectors; its attributes follow the last one. */
    listHead: (length: number): Buffer => Buffer.concat([int(LIST | IS_OBJECT | HAS_ATTRIBUTES), int(length)]),
    /** The beginning of a vector with attributes: the cells follow, then the attributes. */
    vectorHead: (type: VectorType, length: number, isObject: boolean): Buffer => head(type, length, isObject, true),
    attributes,
  }
}
