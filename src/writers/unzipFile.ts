/** Reads a zip archive from a file, part by part, so that neither the archive nor a large part is ever whole in memory. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'
import type { MakeUnreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { directoryOf, type Entry, recordsAround } from './zip'
import { type ArchiveEntry, archiveEnd, entriesIn, sizeOfEnds } from './zipDirectory'
import { BEYOND_32, DEFLATED, DESCRIBED, ENCRYPTED, localHeader, STORED } from './zipFormat'

/** A part of an archive. `pieces` unpacks it, piece by piece. */
export type ZipPart = { name: string; pieces(): AsyncGenerator<Buffer> }

/**
 * What an archive may have: bytes of its parts when unpacked, which are counted, parts, and bytes of its directory.
 * `isExact`: nothing may follow the last block of a compressed part, which other programs pass over.
 */
export type ArchiveLimits = { bytes: number; parts: number; directory: number; isExact?: boolean }

/** The limits of an archive that somebody sends. */
export const UPLOAD_LIMITS: Omit<ArchiveLimits, 'bytes'> = { parts: 100_000, directory: 32 << 20 }
/** The limits of an archive of one's own. */
export const OWN_LIMITS: ArchiveLimits = {
  bytes: Number.MAX_SAFE_INTEGER,
  parts: 10_000_000,
  directory: 1 << 30,
  isExact: true,
}

/** The end of an archive may be followed by a comment of 64 KB. */
const TAIL = (1 << 16) + sizeOfEnds

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}

/**
 * The parts of an archive, in its order.
 * @param refusal makes the error from a reason; this function and `pieces` throw it if the archive cannot be read
 */
export function partsOfFile(path: string, limits: ArchiveLimits, refusal: MakeUnreadable): ZipPart[] {
  const { entries } = directoryIn(path, limits, refusal)
  const damaged = damageError(refusal)
  const left = { bytes: limits.bytes }
  return entries.map((entry) => ({
    name: entry.name,
    pieces: () => unpack(path, entry, { left, limits, damaged, refusal }),
  }))
}

const damageError = (refusal: MakeUnreadable) => () => refusal(reason('archiveDamaged'))

function directoryIn(path: string, limits: ArchiveLimits, refusal: MakeUnreadable) {
  const damaged = damageError(refusal)
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tailAt = Math.max(0, size - TAIL)
    const end = archiveEnd(readAt(file, tailAt, size - tailAt), tailAt)
    if (!end || end.at + end.size > end.endAt) throw damaged()
    if (end.size > limits.directory || end.count > limits.parts) throw refusal(reason('archiveTooLarge'))
    const entries = entriesIn(readAt(file, end.at, end.size), end.count)
    if (!entries) throw damaged()
    return {
      entries: entries.entries,
      isWhole: entries.length === end.size && end.at + end.size === end.endAt && end.isLast,
      at: end.at,
      size,
    }
  } finally {
    closeSync(file)
  }
}

/**
 * What is strange in the layout of an archive that `zipTo` should have written, as a sentence; undefined if each byte that is not of a part is
 * what `zipTo` writes for these parts, and each part has one name. Other programs read some archives otherwise: what is between
 * parts, is called by two names or is described in two ways could be shown to somebody and not to others.
 */
export function layoutProblem(path: string, refusal: MakeUnreadable): string | undefined {
  const { entries, isWhole, at, size } = directoryIn(path, OWN_LIMITS, refusal)
  if (!isWhole) return 'Its directory is not its end.'
  const file = openSync(path, 'r')
  try {
    const names = new Set<string>()
    const parts = entries.map(ownEntry)
    let next = 0
    for (const [n, part] of parts.entries()) {
      const { name } = entries[n]!
      if (names.has(name)) return `Two of its parts are called ${name}.`
      names.add(name)
      if (part.at !== next) return `There is something before its part ${name}.`
      const { before, after } = recordsAround(part)
      const afterAt = next + before.length + part.packed
      const isOwn = [before, after].every((bytes, n) => bytes.equals(readAt(file, n ? afterAt : next, bytes.length)))
      if (!isOwn) return `What is written around its part ${name} is not what its directory says.`
      next = afterAt + after.length
    }
    if (next !== at) return 'There is something between its parts and its directory.'
    for (const record of directoryOf(parts, { at })) {
      if (!record.equals(readAt(file, next, record.length))) return 'Its directory was changed.'
      next += record.length
    }
    return next === size ? undefined : 'Its directory is not its end.'
  } finally {
    closeSync(file)
  }
}

/** A part as `zipTo` has it in memory. */
const ownEntry = ({ name, flags, method, crc, packed, size, at }: ArchiveEntry): Entry => ({
  ...{ name: Buffer.from(name), crc, packed, size, at },
  isStored: method === STORED,
  hasDescriptor: (flags & DESCRIBED) !== 0,
  isLarge: method === STORED && size >= BEYOND_32,
})

type UnpackContext = { left: { bytes: number }; limits: ArchiveLimits; damaged: () => Error; refusal: MakeUnreadable }

async function* unpack(path: string, entry: ArchiveEntry, { left, limits, damaged, refusal }: UnpackContext) {
  if (entry.flags & ENCRYPTED) throw refusal(reason('fileProtected'))
  if (entry.method !== STORED && entry.method !== DEFLATED) throw refusal(reason('archiveOtherPacking'))
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
  const inflate = entry.method === STORED ? undefined : createInflateRaw({ chunkSize: 1 << 18 })
  const pieces: AsyncIterable<Buffer> = inflate ? packed.pipe(inflate) : packed
  let crc = 0
  try {
    for await (const piece of pieces) {
      left.bytes -= piece.length
      if (left.bytes < 0) throw refusal(reason('archiveTooLargeUnpacked', { limit: limits.bytes >> 20 }))
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    throw /^(Z_|ERR_)/.test(`${(error as { code?: unknown }).code}`) ? damaged() : error
  } finally {
    packed.destroy()
  }
  const isWhole = !limits.isExact || inflate === undefined || inflate.bytesWritten === entry.packed
  if (crc !== entry.crc || !isWhole) throw damaged()
}
