/** The columns of a table one after the other, in a temporary file: for formats that hold a whole column before the next one. */
import { closeSync, constants, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { randomBytes } from '#kernel/cryptography'

/** Bytes of columns. They are added row by row, and read column by column. */
export type ColumnFile = {
  /** Adds bytes to a column. The array may be used again when this returns. */
  add(column: number, bytes: Uint8Array): void
  /** All bytes of a column, in pieces. A piece is valid until the next one is read. */
  read(column: number): Generator<Uint8Array>
}

/** The memory for all columns together, and the least and the most for each. */
const MEMORY = 1 << 24
const LEAST = 1 << 10
const MOST = 1 << 17

/** Where bytes of a column are in the file. */
type Place = { at: number; length: number }

/**
 * Lends a file of columns to `use`. The file is beside `path`, only its owner may read it, and it is removed whatever happens: on systems
 * that allow it, at once, so that it is gone even if the process is killed.
 */
export async function withColumnFile<T>(
  path: string,
  columns: number,
  use: (file: ColumnFile) => Promise<T>,
): Promise<T> {
  const name = `${path}.${randomBytes(6).toString('hex')}.columns`
  const file = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    if (process.platform !== 'win32') rmSync(name)
    return await use(columnsIn(file, columns))
  } finally {
    closeSync(file)
    rmSync(name, { force: true })
  }
}

function columnsIn(file: number, columns: number): ColumnFile {
  const room = Math.min(Math.max(Math.floor(MEMORY / columns), LEAST), MOST)
  const parts = Array.from({ length: columns }, () => ({ buffer: Buffer.alloc(0), used: 0, places: [] as Place[] }))
  let size = 0

  const put = (places: Place[], bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done)
    const last = places.at(-1)
    // Pieces of the same column one behind the other are one piece.
    if (last && last.at + last.length === size) last.length += bytes.length
    else places.push({ at: size, length: bytes.length })
    size += bytes.length
  }
  return {
    add(column, bytes) {
      const part = parts[column]!
      if (part.used + bytes.length > room) {
        if (part.used) put(part.places, part.buffer.subarray(0, part.used))
        part.used = 0
        if (bytes.length > room) return put(part.places, bytes)
      }
      if (!part.buffer.length) part.buffer = Buffer.allocUnsafe(room)
      part.buffer.set(bytes, part.used)
      part.used += bytes.length
    },
    *read(column) {
      const part = parts[column]!
      const piece = Buffer.allocUnsafe(MOST)
      for (const { at, length } of part.places) {
        for (let done = 0; done < length; ) {
          const read = readSync(file, piece, 0, Math.min(piece.length, length - done), at + done)
          if (read === 0) throw new Error('A temporary file of an export became shorter while it was read.')
          done += read
          yield piece.subarray(0, read)
        }
      }
      yield part.buffer.subarray(0, part.used)
    },
  }
}
