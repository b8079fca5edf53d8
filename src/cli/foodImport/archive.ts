/** Reads the files of a large zip archive piece by piece: never more than a piece is in memory. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'
import { fault } from '#kernel/fault'
import {
  BEYOND_16,
  BEYOND_32,
  DEFLATED,
  directoryEnd,
  directoryEntry,
  ENCRYPTED,
  localHeader,
  STORED,
  zip64End,
  zip64Locator,
} from '#writers/zipFormat'

/** A file of an archive. `size`: its bytes when unpacked. */
export type ArchivedFile = { name: string; size: number; pieces(): AsyncIterable<Uint8Array> }

/** A comment may follow the end of the directory. */
const LONGEST_COMMENT = 65_535
/** A larger directory is not that of a download of foods. */
const LARGEST_DIRECTORY = 1 << 24
const PIECE = 1 << 20

const damaged = (path: string) => fault(`${path} is damaged: it is not a whole zip archive. Download it again.`)

/** The files of the archive. @throws a fault if it cannot be read */
export function openArchive(path: string): ArchivedFile[] {
  const file = openSync(path, 'r')
  try {
    const size = fstatSync(file).size
    const bytesAt = (at: number, length: number): Buffer => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(file, bytes, done, bytes.length - done, at + done)
        if (read === 0) throw damaged(path)
        done += read
      }
      return bytes
    }
    return filesIn(path, size, bytesAt)
  } finally {
    closeSync(file)
  }
}

type BytesAt = (at: number, length: number) => Buffer

/** Where the directory is. The 64-bit record counts if there is one. */
function directoryOf(path: string, size: number, bytesAt: BytesAt): { at: number; size: number; count: number } {
  const from = Math.max(0, size - LONGEST_COMMENT - directoryEnd.length)
  const tail = bytesAt(from, size - from)
  const place = tail.lastIndexOf(directoryEnd.signature)
  const end = directoryEnd.read(tail, place)
  if (!end) throw damaged(path)
  const isLarge = end.at === BEYOND_32 || end.size === BEYOND_32 || end.count === BEYOND_16
  if (!isLarge) return end
  const locator = zip64Locator.read(tail, place - zip64Locator.length)
  const large = locator && zip64End.read(bytesAt(locator.at, zip64End.length), 0)
  if (!large) throw damaged(path)
  return large
}

/** The 64-bit numbers that replace those of an entry which are too large for it: size, packed size and place, in this order. */
function largeNumbers(extra: Buffer, values: readonly number[]): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const [kind, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)]
    if (kind === 1) {
      let from = at + 4
      return values.map((value) => {
        if (value !== BEYOND_32 || from + 8 > at + 4 + length) return value
        from += 8
        return Number(extra.readBigUInt64LE(from - 8))
      })
    }
    at += 4 + length
  }
  return [...values]
}

function filesIn(path: string, size: number, bytesAt: BytesAt): ArchivedFile[] {
  const { at: start, size: length, count } = directoryOf(path, size, bytesAt)
  if (length > LARGEST_DIRECTORY || start + length > size) throw damaged(path)
  const directory = bytesAt(start, length)
  const files: ArchivedFile[] = []
  for (let n = 0, at = 0; n < count; n++) {
    const entry = directoryEntry.read(directory, at)
    if (!entry) throw damaged(path)
    if (entry.flags & ENCRYPTED) throw fault(`${path} is protected by a password.`)
    const nameEnd = at + directoryEntry.length + entry.nameLength
    const name = directory.toString('utf8', at + directoryEntry.length, nameEnd)
    const extra = directory.subarray(nameEnd, nameEnd + entry.extraLength)
    const [unpacked, packed, place] = largeNumbers(extra, [entry.size, entry.packed, entry.at]) as [
      number,
      number,
      number,
    ]
    const header = localHeader.read(bytesAt(place, localHeader.length), 0)
    if (!header) throw damaged(path)
    const from = place + localHeader.length + header.nameLength + header.extraLength
    const { method, crc } = entry
    if (from + packed > size) throw damaged(path)
    files.push({ name, size: unpacked, pieces: () => piecesOf(path, name, { from, packed, unpacked, method, crc }) })
    at = nameEnd + entry.extraLength + entry.commentLength
  }
  return files
}

type Place = { from: number; packed: number; unpacked: number; method: number; crc: number }

/** @throws a fault if the content is not what the directory says */
async function* piecesOf(path: string, name: string, { from, packed, unpacked, method, crc }: Place) {
  if (packed === 0) return
  if (method !== STORED && method !== DEFLATED)
    throw fault(`${name} in ${path} is packed in a way that cannot be read.`)
  const stored = createReadStream(path, { start: from, end: from + packed - 1, highWaterMark: PIECE })
  const pieces = method === STORED ? stored : stored.pipe(createInflateRaw({ chunkSize: PIECE }))
  stored.on('error', (error) => pieces.destroy(error))
  let [sum, size] = [0, 0]
  try {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      sum = crc32(piece, sum)
      size += piece.length
      yield piece
    }
  } catch (error) {
    if (`${(error as { code?: unknown }).code}`.startsWith('Z_')) throw damaged(path)
    throw error
  } finally {
    stored.destroy()
  }
  if (size !== unpacked || sum !== crc) throw damaged(path)
}
