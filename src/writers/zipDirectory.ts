/** The directory of a zip archive as it is read, with ZIP64 records (APPNOTE 6.3, 4.3.12 to 4.3.16). */
import { BEYOND_16, BEYOND_32, directoryEnd, directoryEntry, zip64End, zip64Locator } from './zipFormat'

/** A part as the directory describes it. `at`: the offset of its local header. */
export type ArchiveEntry = {
  name: string
  flags: number
  method: number
  crc: number
  packed: number
  size: number
  at: number
}

/** The length of all records at the end of an archive. */
export const sizeOfEnds = zip64End.length + zip64Locator.length + directoryEnd.length

/** Where the ends say which disk of an archive of several disks they are on. */
const DISKS = 4
const WIDE_DISKS = 16

/**
 * Where the directory is: `count` entries in `size` bytes from `at` on. `endAt`: where the records of the end begin. `isLast`: nothing
 * follows them, and they say that the archive is one file. Undefined if there is no end.
 * @param tail the last bytes of the archive, from `tailAt` on
 */
export function archiveEnd(tail: Buffer, tailAt: number) {
  const place = tail.lastIndexOf(directoryEnd.signature)
  const end = directoryEnd.read(tail, place)
  if (!end) return undefined
  const isOne = tail.readUInt32LE(place + DISKS) === 0 && end.countHere === end.count
  const isLast = isOne && place + directoryEnd.length === tail.length
  const isWide = end.at === BEYOND_32 || end.size === BEYOND_32 || end.count === BEYOND_16
  const locator = isWide ? zip64Locator.read(tail, place - zip64Locator.length) : undefined
  if (!locator) return { count: end.count, size: end.size, at: end.at, endAt: tailAt + place, isLast }
  const wide = zip64End.read(tail, locator.at - tailAt)
  const isHere = locator.at === tailAt + place - zip64Locator.length - zip64End.length
  if (!wide || !isHere) return undefined
  const ofOne = locator.disks === 1 && tail.readUInt32LE(place - zip64Locator.length + DISKS) === 0
  const isWideOne =
    ofOne && wide.countHere === wide.count && tail.readBigUInt64LE(locator.at - tailAt + WIDE_DISKS) === 0n
  return { count: wide.count, size: wide.size, at: wide.at, endAt: locator.at, isLast: isLast && isWideOne }
}

/** The entries of a directory and its length; undefined if it does not hold as many. */
export function entriesIn(directory: Buffer, count: number): { entries: ArchiveEntry[]; length: number } | undefined {
  const entries: ArchiveEntry[] = []
  let at = 0
  for (let n = 0; n < count; n++) {
    const entry = directoryEntry.read(directory, at)
    if (!entry) return undefined
    const nameAt = at + directoryEntry.length
    const extraAt = nameAt + entry.nameLength
    const name = directory.toString('utf8', nameAt, extraAt)
    at = extraAt + entry.extraLength + entry.commentLength
    const wide = wideNumbers(directory.subarray(extraAt, extraAt + entry.extraLength))
    // They are there for the numbers that do not fit, in this order.
    const [size, packed, place] = [entry.size, entry.packed, entry.at].map((value) =>
      value === BEYOND_32 ? wide.shift() : value,
    )
    if (size === undefined || packed === undefined || place === undefined) return undefined
    entries.push({ name, flags: entry.flags, method: entry.method, crc: entry.crc, size, packed, at: place })
  }
  return { entries, length: at }
}

/** The numbers in the extra field of ZIP64; empty if there is none. */
function wideNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      const field = extra.subarray(at + 4, at + 4 + length)
      return Array.from({ length: Math.floor(field.length / 8) }, (_, n) => Number(field.readBigUInt64LE(8 * n)))
    }
    at += 4 + length
  }
  return []
}
