/** The records of a zip archive, as they are read and written: APPNOTE 6.3, all numbers little-endian. */

/** The position of a number in a record, and its length in bytes. */
type Field = readonly [at: number, bytes: 2 | 4 | 8]

/** A record of fixed length that begins with its signature. Fields without a name are written as 0. */
function record<Name extends string>(signature: number, length: number, fields: Record<Name, Field>) {
  const places = Object.entries<Field>(fields) as [Name, Field][]
  return {
    length,
    signature: Buffer.from(Uint32Array.of(signature).buffer),
    write(values: Record<Name, number>): Buffer {
      const into = Buffer.alloc(length)
      into.writeUInt32LE(signature, 0)
      for (const [name, [at, bytes]] of places) {
        if (bytes === 8) into.writeBigUInt64LE(BigInt(values[name]), at)
        else into.writeUIntLE(values[name], at, bytes)
      }
      return into
    },
    /** The numbers of the record at a place; undefined if there is none. */
    read(from: Buffer, at: number): Record<Name, number> | undefined {
      if (at < 0 || at + length > from.length || from.readUInt32LE(at) !== signature) return undefined
      const values = places.map(([name, [place, bytes]]) => [
        name,
        bytes === 8 ? Number(from.readBigUInt64LE(at + place)) : from.readUIntLE(at + place, bytes),
      ])
      return Object.fromEntries(values) as Record<Name, number>
    },
  }
}

/** The header before each file; the name and extra fields of the file follow it. */
export const localHeader = record(0x04034b50, 30, {
  version: [4, 2],
  flags: [6, 2],
  method: [8, 2],
  day: [12, 2],
  crc: [14, 4],
  packed: [18, 4],
  size: [22, 4],
  nameLength: [26, 2],
  extraLength: [28, 2],
})

/** What follows a file whose checksum and sizes are not in its header. */
export const dataDescriptor = record(0x08074b50, 16, { crc: [4, 4], packed: [8, 4], size: [12, 4] })

/**
 * A file in the directory at the end; its name, extra fields and comment follow. `at`: the offset of its local header; `attributes`:
 * the mode on Unix in the upper half.
 */
export const directoryEntry = record(0x02014b50, 46, {
  madeBy: [4, 2],
  version: [6, 2],
  flags: [8, 2],
  method: [10, 2],
  day: [14, 2],
  crc: [16, 4],
  packed: [20, 4],
  size: [24, 4],
  nameLength: [28, 2],
  extraLength: [30, 2],
  commentLength: [32, 2],
  attributes: [38, 4],
  at: [42, 4],
})

/** The end of an archive: the number of files, and the offset of their directory. */
export const directoryEnd = record(0x06054b50, 22, { countHere: [8, 2], count: [10, 2], size: [12, 4], at: [16, 4] })

/** The same in 64 bits, for archives that need it. `rest`: the length of what follows `rest` itself. */
export const zip64End = record(0x06064b50, 56, {
  rest: [4, 8],
  madeBy: [12, 2],
  version: [14, 2],
  countHere: [24, 8],
  count: [32, 8],
  size: [40, 8],
  at: [48, 8],
})

/** The record between the two ends, with the offset of the 64-bit end. */
export const zip64Locator = record(0x07064b50, 20, { at: [8, 8], disks: [16, 4] })

export const STORED = 0
export const DEFLATED = 8
/** A flag: the file is encrypted. */
export const ENCRYPTED = 1
/** A flag: the checksum and the sizes follow the file, in a `dataDescriptor`. */
export const DESCRIBED = 8
/** A flag: the name is UTF-8; without it, readers assume code page 437. */
export const UTF8 = 0x800
/** The values that replace a number which does not fit into 32 or 16 bits; the ZIP64 records then hold the number. */
export const BEYOND_32 = 0xffff_ffff
export const BEYOND_16 = 0xffff

/** The extra field of ZIP64: the numbers that do not fit into the record before it, with 64 bits each. */
export function zip64Extra(values: readonly number[]): Buffer {
  if (!values.length) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at)
  return extra
}
