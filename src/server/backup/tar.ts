/** Tar archives (POSIX ustar), as far as a backup needs them: plain files, read and written in chunks. */
import { readSync } from 'node:fs'
import { fault } from '#kernel/fault'

const BLOCK = 512
/** Bytes read at a time, so that the use of memory does not depend on the size of the file. */
const PIECE = 1 << 20

/** Zeros up to the next whole block. */
const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** Writes a number in octal, or in base 256 if it does not fit, as GNU tar does: a database may be larger than 8 GB. */
function putNumber(header: Buffer, value: number, at: number, length: number): void {
  const octal = value.toString(8)
  if (octal.length < length) return void header.write(octal.padStart(length - 1, '0'), at)
  header.writeBigUInt64BE(BigInt(value), at + length - 8)
  header[at] = 0x80
}

function numberAt(header: Buffer, at: number, length: number): number {
  if (header[at]! & 0x80) return Number(header.readBigUInt64BE(at + length - 8))
  return Number.parseInt(header.toString('latin1', at, at + length).replace(/[\0 ]+$/, '') || '0', 8)
}

/** The checksum of a header: the sum of its bytes, with the eight bytes of the checksum itself counted as spaces. */
const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)

/** The header block of a file. @param name at most 100 bytes; @param seconds since 1970 */
function headerOf(name: string, size: number, seconds: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  if (header.write(name, 0, 100) !== Buffer.byteLength(name)) throw new Error(`${name} is too long for an archive`)
  putNumber(header, 0o600, 100, 8)
  putNumber(header, 0, 108, 8)
  putNumber(header, 0, 116, 8)
  putNumber(header, size, 124, 12)
  putNumber(header, seconds, 136, 12)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Reads an open file in chunks. Every chunk is in the same array, which the next one overwrites. */
export function* piecesOf(file: number, size = Infinity): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, size))
  for (let left = size; left > 0; ) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, left), null)
    if (read === 0) return
    left -= read
    yield buffer.subarray(0, read)
  }
}

/** A file in an archive, of exactly `size` bytes, in chunks. @param seconds since 1970 */
export function* packFile(
  name: string,
  size: number,
  pieces: Iterable<Uint8Array>,
  seconds: number,
): Generator<Uint8Array, void> {
  yield headerOf(name, size, seconds)
  let written = 0
  for (const piece of pieces) {
    yield piece
    written += piece.length
  }
  if (written !== size) throw fault(`${name} changed while it was read: try again.`)
  yield Buffer.alloc(padding(size))
}

/** The end of an archive. */
export const archiveEnd = (): Uint8Array => Buffer.alloc(2 * BLOCK)

/** A file of an archive; read all its chunks before you ask for the next file. */
export type Entry = { name: string; size: number; pieces: Iterable<Uint8Array> }

/** The name and size in a header block; undefined if it is not one, or is damaged. */
function readHeader(header: Buffer): Pick<Entry, 'name' | 'size'> | undefined {
  const type = header[156]
  const isTarHeader = header.toString('latin1', 257, 262) === 'ustar' && (type === 0x30 || type === 0)
  if (!isTarHeader || numberAt(header, 148, 8) !== sumOf(header)) return undefined
  return { name: header.toString('utf8', 0, 100).replace(/\0.*$/s, ''), size: numberAt(header, 124, 12) }
}

/** Reads an archive that `packFile` wrote. @throws a fault if it is incomplete or not an archive */
export function* entriesOf(file: number): Generator<Entry> {
  const header = Buffer.alloc(BLOCK)
  for (;;) {
    if (!fill(file, header)) throw fault('The archive is cut short.')
    if (header.every((byte) => byte === 0)) return
    const found = readHeader(header)
    if (!found) throw fault('This is no backup of Trialbox, or it is damaged.')
    const { name, size } = found
    let taken = 0
    function* pieces() {
      for (const piece of piecesOf(file, size)) {
        taken += piece.length
        yield piece
      }
    }
    yield { name, size, pieces: pieces() }
    if (taken !== size || !fill(file, Buffer.alloc(padding(size)))) throw fault('The archive is cut short.')
  }
}

/** Fills the buffer from the file. Returns false if fewer bytes are left. */
function fill(file: number, buffer: Buffer): boolean {
  for (let at = 0; at < buffer.length; ) {
    const read = readSync(file, buffer, at, buffer.length - at, null)
    if (read === 0) return false
    at += read
  }
  return true
}

/** The beginning of a database: its header may be lost, and it is what matters most. */
const DATABASE = Buffer.from('SQLite format 3\0')

/** The size of the database that begins in this block, from its own header. */
function databaseSize(block: Buffer): number {
  const page = block.readUInt16BE(16)
  return (page === 1 ? 65_536 : page) * block.readUInt32BE(28)
}

/**
 * Reads what is left of a damaged archive: blocks that are no header are skipped, and a file may be shorter than its size says.
 * A database is found without a header, too.
 */
export function* remainingEntries(file: number): Generator<Entry> {
  const block = Buffer.alloc(BLOCK)
  let last = -1
  for (let at = 0; readSync(file, block, 0, BLOCK, at) === BLOCK; ) {
    const isDatabase = at !== last && block.subarray(0, DATABASE.length).equals(DATABASE)
    const found = isDatabase ? { name: 'trialbox.db', size: databaseSize(block) } : readHeader(block)
    const from = isDatabase ? at : at + BLOCK
    at += BLOCK
    if (!found) continue
    const { size } = found
    yield { ...found, pieces: piecesAt(file, from, size) }
    last = from
    if (readSync(file, block, 0, 1, from + size - 1) === 1 || size === 0) at = from + size + padding(size)
  }
}

/** Reads a part of an open file in chunks. It ends early if the file does. */
function* piecesAt(file: number, from: number, size: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, size))
  for (let done = 0; done < size; ) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, size - done), from + done)
    if (read === 0) return
    done += read
    yield buffer.subarray(0, read)
  }
}
