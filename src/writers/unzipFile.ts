/** Reads a zip archive from a file, part by part, so that neither the archive nor a large part is ever whole in memory. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'
import { BEYOND_32, DEFLATED, directoryEnd, directoryEntry, ENCRYPTED, localHeader, STORED } from './zipFormat'

/** A part of an archive. `pieces` unpacks it, piece by piece. */
export type ZipPart = { name: string; pieces(): AsyncGenerator<Buffer> }

const MOST_PARTS = 100_000
/** The end of an archive may be followed by a comment of 64 KB. */
const TAIL = (1 << 16) + directoryEnd.length
const LARGEST_DIRECTORY = 32 << 20

type Refusal = (problem: string) => Error

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}

/**
 * The parts of an archive, in its order. Together they may have at most `limit` bytes when unpacked, which are counted.
 * @param refusal makes the error from one sentence; this function and `pieces` throw it if the archive cannot be read
 */
export function partsOfFile(path: string, limit: number, refusal: Refusal): ZipPart[] {
  const damaged = () => refusal('The zip archive is damaged: save or download the file again.')
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tailAt = Math.max(0, size - TAIL)
    const tail = readAt(file, tailAt, size - tailAt)
    const end = directoryEnd.read(tail, tail.lastIndexOf(directoryEnd.signature))
    if (!end) throw damaged()
    if (end.at === BEYOND_32 || end.size > LARGEST_DIRECTORY || end.count > MOST_PARTS)
      throw refusal('The archive is too large: send a part of it.')
    const directory = readAt(file, end.at, end.size)
    const left = { bytes: limit }
    const parts: ZipPart[] = []
    for (let n = 0, at = 0; n < end.count; n++) {
      const entry = directoryEntry.read(directory, at)
      if (!entry) throw damaged()
      const nameAt = at + directoryEntry.length
      const name = directory.toString('utf8', nameAt, nameAt + entry.nameLength)
      parts.push({ name, pieces: () => unpacked(path, entry, { left, limit, damaged, refusal }) })
      at = nameAt + entry.nameLength + entry.extraLength + entry.commentLength
    }
    return parts
  } finally {
    closeSync(file)
  }
}

type Entry = NonNullable<ReturnType<typeof directoryEntry.read>>
type Unpacking = { left: { bytes: number }; limit: number; damaged: () => Error; refusal: Refusal }

async function* unpacked(path: string, entry: Entry, { left, limit, damaged, refusal }: Unpacking) {
  if (entry.flags & ENCRYPTED) throw refusal('The file is protected by a password: remove it and try again.')
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw refusal('The archive is packed in a way that cannot be read.')
  const file = openSync(path, 'r')
  const header = localHeader.read(readAt(file, entry.at, localHeader.length), 0)
  closeSync(file)
  if (!header) throw damaged()
  const start = entry.at + localHeader.length + header.nameLength + header.extraLength
  if (entry.packed === 0) return
  const packed = createReadStream(path, { start, end: start + entry.packed - 1, highWaterMark: 1 << 18 })
  const pieces: AsyncIterable<Buffer> =
    entry.method === STORED ? packed : packed.pipe(createInflateRaw({ chunkSize: 1 << 18 }))
  let crc = 0
  try {
    for await (const piece of pieces) {
      left.bytes -= piece.length
      if (left.bytes < 0) throw refusal(`The archive is too large once unpacked: ${limit >> 20} MB are possible.`)
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    throw /^(Z_|ERR_)/.test(`${(error as { code?: unknown }).code}`) ? damaged() : error
  } finally {
    packed.destroy()
  }
  if (crc !== entry.crc) throw damaged()
}
