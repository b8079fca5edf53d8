/** Reads a zip archive from a file, part by part, so that neither the archive nor a large part is ever whole in memory. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'
import { type ArchiveEntry, archiveEnd, entriesIn, sizeOfEnds } from './zipDirectory'
import { DEFLATED, DESCRIBED, dataDescriptor, ENCRYPTED, localHeader, STORED } from './zipFormat'

/** A part of an archive. `pieces` unpacks it, piece by piece. */
export type ZipPart = { name: string; pieces(): AsyncGenerator<Buffer> }

/** What an archive may have: bytes of its parts when unpacked, which are counted, parts, and bytes of its directory. */
export type ArchiveLimits = { bytes: number; parts: number; directory: number }

/** The limits of an archive that somebody sends. */
export const SENT: Omit<ArchiveLimits, 'bytes'> = { parts: 100_000, directory: 32 << 20 }
/** The limits of an archive of one's own. */
export const OWN: ArchiveLimits = { bytes: Number.MAX_SAFE_INTEGER, parts: 10_000_000, directory: 1 << 30 }

/** The end of an archive may be followed by a comment of 64 KB. */
const TAIL = (1 << 16) + sizeOfEnds

type Refusal = (problem: string) => Error

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}

/**
 * The parts of an archive, in its order.
 * @param refusal makes the error from one sentence; this function and `pieces` throw it if the archive cannot be read
 */
export function partsOfFile(path: string, limits: ArchiveLimits, refusal: Refusal): ZipPart[] {
  const { entries } = directoryOf(path, limits, refusal)
  const damaged = damagedBy(refusal)
  const left = { bytes: limits.bytes }
  return entries.map((entry) => ({
    name: entry.name,
    pieces: () => unpacked(path, entry, { left, limit: limits.bytes, damaged, refusal }),
  }))
}

const damagedBy = (refusal: Refusal) => () => refusal('The zip archive is damaged: save or download the file again.')

function directoryOf(path: string, limits: ArchiveLimits, refusal: Refusal) {
  const damaged = damagedBy(refusal)
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tailAt = Math.max(0, size - TAIL)
    const end = archiveEnd(readAt(file, tailAt, size - tailAt), tailAt)
    if (!end || end.at + end.size > end.endAt) throw damaged()
    if (end.size > limits.directory || end.count > limits.parts)
      throw refusal('The archive is too large: send a part of it.')
    const entries = entriesIn(readAt(file, end.at, end.size), end.count)
    if (!entries) throw damaged()
    return {
      entries: entries.entries,
      isWhole: entries.length === end.size && end.at + end.size === end.endAt && end.isLast,
      at: end.at,
    }
  } finally {
    closeSync(file)
  }
}

/**
 * What is strange in the layout of an archive that Trialbox wrote, as a sentence; undefined if every byte of it belongs to one of its parts, to
 * its directory or to its end, and each part has one name. Other programs read some archives otherwise: what is between
 * parts, or is called by two names, could be shown to somebody and not to others.
 */
export function strangeLayout(path: string, refusal: Refusal): string | undefined {
  const { entries, isWhole, at } = directoryOf(path, OWN, refusal)
  if (!isWhole) return 'Its directory is not its end.'
  const file = openSync(path, 'r')
  try {
    let next = 0
    const names = new Set<string>()
    for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
      const { name } = entry
      if (names.has(name)) return `Two of its parts are called ${name}.`
      names.add(name)
      const header = entry.at === next ? localHeader.read(readAt(file, next, localHeader.length), 0) : undefined
      if (!header) return `There is something before its part ${name}.`
      const own = readAt(file, next + localHeader.length, header.nameLength).toString()
      if (own !== name) return `Its part ${name} is called ${own} at another place.`
      next += localHeader.length + header.nameLength + header.extraLength + entry.packed
      const isDescribed = (header.flags & DESCRIBED) !== 0
      const sums = isDescribed ? dataDescriptor.read(readAt(file, next, dataDescriptor.length), 0) : header
      const isSame = header.flags === entry.flags && header.method === entry.method && sums?.crc === entry.crc
      if (!isSame) return `Its directory describes its part ${name} otherwise.`
      if (isDescribed) next += dataDescriptor.length
    }
    return next === at ? undefined : 'There is something between its parts and its directory.'
  } finally {
    closeSync(file)
  }
}

type Unpacking = { left: { bytes: number }; limit: number; damaged: () => Error; refusal: Refusal }

async function* unpacked(path: string, entry: ArchiveEntry, { left, limit, damaged, refusal }: Unpacking) {
  if (entry.flags & ENCRYPTED) throw refusal('The file is protected by a password: remove it and try again.')
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw refusal('The archive is packed in a way that cannot be read.')
  const file = openSync(path, 'r')
  const header = localHeader.read(readAt(file, entry.at, localHeader.length), 0)
  closeSync(file)
  if (!header) throw damaged()
  const start = entry.at + localHeader.length + header.nameLength + header.extraLength
  if (entry.packed === 0) {
    if (entry.crc !== 0) throw damaged()
    return
  }
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
