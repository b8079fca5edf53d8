/** Writes a zip archive part by part to a file, with deflate, and with ZIP64 records if the archive needs them. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { type Output, utf8 } from './file'
import {
  BEYOND_16,
  BEYOND_32,
  DEFLATED,
  directoryEnd,
  directoryEntry,
  localHeader,
  STORED,
  UTF8,
  zip64End,
  zip64Extra,
  zip64Locator,
} from './zipFormat'

/** One part (a file inside the archive) that is being written. */
export type Part = {
  write(text: string): void
  /** Bytes before compression. */
  size(): number
  end(): void
}

type Entry = {
  name: Buffer
  crc: number
  packed: number
  size: number
  at: number
  /** Stored without compression. */
  isStored?: boolean
  /** Its sizes do not fit into 32 bits. */
  isLarge?: boolean
}

/** The largest part. Its sizes fit into 32 bits: the header before a part must state the width before the sizes are known. */
export const PART_LIMIT = 0xffff_fff0
const LEVEL = 2
/** 1980-01-01, the first day that zip can express. It is constant, so that the same rows give the same bytes. */
const FIRST_DAY = 0x21
/** Versions of the format that a reader must know: for deflate, and for ZIP64. */
const [PLAIN, WIDE] = [20, 45]
/** An empty last block of deflate. */
const LAST_BLOCK = Uint8Array.of(3, 0)

/**
 * Begins an archive in a file. Each chunk of text is compressed separately up to a byte boundary, so that only one chunk is
 * in memory. The header before a part is completed when the part ends.
 * @param wide ZIP64 is used from this offset on, and from `wideCount` parts on; only tests set other values
 */
export function zipTo(output: Output, wide = BEYOND_32, wideCount = BEYOND_16) {
  const entries: Entry[] = []
  const encode = utf8()

  function part(name: string): Part {
    const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: output.size() }
    output.write(headerOf(entry))
    const pack = (bytes: Uint8Array) => {
      output.write(bytes)
      entry.packed += bytes.length
    }
    return {
      write(text) {
        if (text === '') return
        const bytes = encode(text)
        if (entry.size + bytes.length > PART_LIMIT) throw new Error(`"${name}" is larger than 4 GB.`)
        entry.crc = crc32(bytes, entry.crc)
        entry.size += bytes.length
        pack(deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }))
      },
      size: () => entry.size,
      end() {
        pack(LAST_BLOCK)
        output.patch(headerOf(entry), entry.at)
        entries.push(entry)
      },
    }
  }

  return {
    part,
    /**
     * Stores a file without compression, of any length: most uploads are compressed already.
     * @param size of all pieces together, which the header before them must state
     */
    store(name: string, size: number, pieces: Iterable<Uint8Array>): void {
      const isLarge = size >= wide
      const entry: Entry = {
        name: Buffer.from(name),
        crc: 0,
        packed: 0,
        size: 0,
        at: output.size(),
        isStored: true,
        isLarge,
      }
      output.write(headerOf(entry))
      for (const piece of pieces) {
        output.write(piece)
        entry.crc = crc32(piece, entry.crc)
        entry.size += piece.length
      }
      if (entry.size !== size) throw new Error(`"${name}" changed while it was read.`)
      entry.packed = size
      output.patch(headerOf(entry), entry.at)
      entries.push(entry)
    },
    /** Adds a whole part at once. */
    add(name: string, text: string): void {
      const one = part(name)
      one.write(text)
      one.end()
    },
    /** Writes the directory; nothing may follow. */
    end(): void {
      const at = output.size()
      for (const entry of entries) output.write(entryOf(entry, entry.at >= wide))
      const size = output.size() - at
      const count = entries.length
      if (at + size >= wide || count >= wideCount) output.write(wideEndOf(count, at, size))
      const short = count >= wideCount ? BEYOND_16 : count
      output.write(
        directoryEnd.write({
          countHere: short,
          count: short,
          size: size >= wide ? BEYOND_32 : size,
          at: at >= wide ? BEYOND_32 : at,
        }),
      )
    },
  }
}

/** The fields that the local header and the directory entry of a part share. */
const common = ({ name, isStored, isLarge, crc, packed, size }: Entry) => ({
  flags: name.some((byte) => byte > 0x7f) ? UTF8 : 0,
  method: isStored ? STORED : DEFLATED,
  day: FIRST_DAY,
  crc,
  packed: isLarge ? BEYOND_32 : packed,
  size: isLarge ? BEYOND_32 : size,
  nameLength: name.length,
})

function headerOf(entry: Entry): Buffer {
  const extra = zip64Extra(entry.isLarge ? [entry.size, entry.packed] : [])
  const version = entry.isLarge ? WIDE : PLAIN
  const header = localHeader.write({ ...common(entry), version, extraLength: extra.length })
  return Buffer.concat([header, entry.name, extra])
}

function entryOf(entry: Entry, isFar: boolean): Buffer {
  const extra = zip64Extra([...(entry.isLarge ? [entry.size, entry.packed] : []), ...(isFar ? [entry.at] : [])])
  const version = extra.length ? WIDE : PLAIN
  const header = directoryEntry.write({
    ...common(entry),
    madeBy: version,
    version,
    extraLength: extra.length,
    commentLength: 0,
    at: isFar ? BEYOND_32 : entry.at,
  })
  return Buffer.concat([header, entry.name, extra])
}

/** The ZIP64 end of the directory and its locator. */
function wideEndOf(count: number, at: number, size: number): Buffer {
  const end = zip64End.write({
    rest: zip64End.length - 12,
    madeBy: WIDE,
    version: WIDE,
    countHere: count,
    count,
    size,
    at,
  })
  return Buffer.concat([end, zip64Locator.write({ at: at + size, disks: 1 })])
}
