/** Rows in a temporary file, for formats whose header says how long the longest text is: it is known after the last row only. */
import { closeSync, constants, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { randomBytes } from '#kernel/cryptography'
import type { Cell } from './cell'

/** Rows that were kept. Memory use does not grow with them. */
export type Spool = {
  /** Adds a row. The array may be used again when this returns. */
  add(row: readonly Cell[]): void
  /**
   * Reads all rows, from the first. Each has as many cells as there are columns, blank ones are null, and a half of a surrogate pair is U+FFFD.
   * The array of a row is used again for the next one.
   */
  rows(): Generator<readonly Cell[]>
  /** Rows so far. */
  count(): number
}

const CHUNK = 1 << 18

/** What a cell begins with in the file. */
const [BLANK, TEXT, TINY, SMALL, NUMBER, TRUE, FALSE, WHOLE, MOMENT, DAY, TIME] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
/** The byte in place of the length of a text whose length is in the four bytes that follow it. */
const LONG_TEXT = 255
/** The most bytes of a cell before its text. */
const HEAD = 16

/**
 * Lends a spool to `use`. Its file is beside `path`, only its owner may read it, and it is removed whatever happens: on systems that
 * allow it, at once, so that it is gone even if the process is killed.
 * @param columns the number of cells of each row
 */
export async function withSpool<T>(path: string, columns: number, use: (spool: Spool) => Promise<T>): Promise<T> {
  const name = `${path}.${randomBytes(6).toString('hex')}.rows`
  const file = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    if (process.platform !== 'win32') rmSync(name)
    return await use(spoolIn(file, columns))
  } finally {
    closeSync(file)
    rmSync(name, { force: true })
  }
}

function spoolIn(file: number, columns: number): Spool {
  const writer = writerTo(file)
  let rows = 0
  return {
    add(row) {
      if (row.length > columns) throw new Error(`Row ${rows + 1} has ${row.length} cells for ${columns} columns.`)
      for (let column = 0; column < columns; column++) writer.cell(row[column])
      rows += 1
    },
    *rows() {
      writer.flush()
      const reader = readerOf(file)
      const row: Cell[] = new Array(columns).fill(null)
      for (let index = 0; index < rows; index++) {
        for (let column = 0; column < columns; column++) row[column] = reader.cell()
        yield row
      }
    },
    count: () => rows,
  }
}

function writerTo(file: number) {
  const buffer = Buffer.allocUnsafe(CHUNK)
  let at = 0
  let size = 0

  const put = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, size + done)
    size += bytes.length
  }
  const flush = () => {
    put(buffer.subarray(0, at))
    at = 0
  }
  /** @param tag what the text is of */
  const text = (tag: number, value: string) => {
    const most = value.length * 3
    if (most + HEAD > CHUNK) return longText(tag, value)
    if (at + most + HEAD > CHUNK) flush()
    buffer[at] = tag
    // Where the length fits into a byte for sure, the text is written behind it at once.
    const isShort = most < LONG_TEXT || Buffer.byteLength(value) < LONG_TEXT
    const length = buffer.write(value, at + (isShort ? 2 : 6))
    buffer[at + 1] = isShort ? length : LONG_TEXT
    if (!isShort) buffer.writeUInt32LE(length, at + 2)
    at += (isShort ? 2 : 6) + length
  }
  const longText = (tag: number, value: string) => {
    const bytes = Buffer.from(value)
    const head = Buffer.from([tag, LONG_TEXT, 0, 0, 0, 0])
    head.writeUInt32LE(bytes.length, 2)
    flush()
    put(head)
    put(bytes)
  }
  const double = (tag: number, value: number) => {
    buffer[at] = tag
    buffer.writeDoubleLE(value, at + 1)
    at += 9
  }
  const number = (value: number) => {
    if (!Number.isInteger(value) || Object.is(value, -0) || value !== (value | 0)) return double(NUMBER, value)
    const isTiny = value >= -128 && value < 128
    buffer[at] = isTiny ? TINY : SMALL
    if (isTiny) buffer.writeInt8(value, at + 1)
    else buffer.writeInt32LE(value, at + 1)
    at += isTiny ? 2 : 5
  }
  return {
    flush,
    cell(cell: Cell): void {
      if (at + HEAD > CHUNK) flush()
      if (cell === null || cell === undefined) buffer[at++] = BLANK
      else if (typeof cell === 'string') text(TEXT, cell)
      else if (typeof cell === 'number') number(cell)
      else if (typeof cell === 'boolean') buffer[at++] = cell ? TRUE : FALSE
      else if (typeof cell === 'bigint') text(WHOLE, String(cell))
      else if ('at' in cell) double(MOMENT, cell.at)
      else if ('day' in cell) text(DAY, cell.day)
      else text(TIME, cell.time)
    },
  }
}

function readerOf(file: number) {
  let buffer = Buffer.allocUnsafe(CHUNK)
  let [at, end, position] = [0, 0, 0]

  /** Makes sure that so many bytes are in the buffer, if the file has them; the last cell may be shorter. */
  const need = (bytes: number) => {
    if (end - at >= bytes) return
    // The room of a long text is not kept for the short ones after it.
    const isWide = buffer.length > CHUNK && bytes <= CHUNK
    const into = isWide || bytes > buffer.length ? Buffer.allocUnsafe(Math.max(bytes, CHUNK)) : buffer
    buffer.copy(into, 0, at, end)
    buffer = into
    end -= at
    at = 0
    while (end < bytes) {
      const read = readSync(file, buffer, end, buffer.length - end, position)
      if (read === 0) return
      end += read
      position += read
    }
  }
  const text = (): string => {
    let length = buffer[at + 1]!
    at += 2
    if (length === LONG_TEXT) {
      length = buffer.readUInt32LE(at)
      at += 4
    }
    need(length)
    at += length
    return buffer.toString('utf8', at - length, at)
  }
  const double = (): number => {
    at += 9
    return buffer.readDoubleLE(at - 8)
  }
  return {
    cell(): Cell {
      need(HEAD)
      const tag = buffer[at]
      if (tag === TEXT) return text()
      if (tag === NUMBER) return double()
      if (tag === MOMENT) return { at: double() }
      if (tag === DAY) return { day: text() }
      if (tag === TIME) return { time: text() }
      if (tag === WHOLE) return BigInt(text())
      at += tag === TINY ? 2 : tag === SMALL ? 5 : 1
      if (tag === TINY) return buffer.readInt8(at - 1)
      if (tag === SMALL) return buffer.readInt32LE(at - 4)
      return tag === TRUE ? true : tag === FALSE ? false : null
    },
  }
}
