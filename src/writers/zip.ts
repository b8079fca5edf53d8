/**
 * Writes a zip archive part by part to a file, with deflate, and with ZIP64 records if the archive needs them. Parts that grow are
 * compressed by another thread (of Bun, as those that read files) while the next chunk of text is made.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib'
import { type Output, utf8 } from './file'
import {
  BEYOND_16,
  BEYOND_32,
  DEFLATED,
  DESCRIBED,
  dataDescriptor,
  directoryEnd,
  directoryEntry,
  localHeader,
  STORED,
  UTF8,
  zip64End,
  zip64Extra,
  zip64Locator,
} from './zipFormat'

/** One part (a file inside the archive) that is being written. Nothing else may be written to the archive until it has ended. */
export type Part = {
  /**
   * Adds text, or bytes, which stay as they are until the next call resolves. Resolves when the next may be added: at most two chunks are
   * in memory. @throws the error of the disk
   */
  write(content: string | Uint8Array): Promise<void>
  /** Bytes before compression. */
  size(): number
  end(): Promise<void>
}

/** A part as the records around it describe it. `at`: the offset of its local header. */
export type Entry = {
  name: Buffer
  crc: number
  packed: number
  size: number
  at: number
  /** Stored without compression. */
  isStored?: boolean
  /** Its checksum and sizes follow it, as they are not known before. */
  hasDescriptor?: boolean
  /** Its sizes do not fit into 32 bits. */
  isLarge?: boolean
}

/** The largest part. Its sizes fit into 32 bits: what follows a part has the same width, whatever its sizes are. */
export const PART_LIMIT = 0xffff_fff0
/** Each chunk is compressed separately up to a byte boundary. The results are collected in pieces of 64 KB. */
const PACKING: ZlibOptions = { level: 2, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1 << 16 }
const packLater = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw)
/** 1980-01-01, the first day that zip can express. It is constant, so that the same rows give the same bytes. */
const FIRST_DAY = 0x21
/** Versions of the format that a reader must know: for deflate, and for ZIP64. */
const [PLAIN, WIDE] = [20, 45]
/** The system that made the archive: Unix. Without it, some readers take UTF-8 names for those of DOS, whatever their flag says. */
const UNIX = 3 << 8
/** What a reader on Unix gives to a file: read by all, written by the owner. */
const ATTRIBUTES = 0o100644 * 0x1_0000
/** An empty last block of deflate. */
const LAST_BLOCK = Uint8Array.of(3, 0)

/**
 * Begins an archive in a file. What is written of a part stays as it is, so that an archive of such parts can be sent meanwhile.
 * @param wide ZIP64 is used from this offset on, and from `wideCount` parts on; only tests set other values
 */
export function zipTo(output: Output, wide = BEYOND_32, wideCount = BEYOND_16) {
  const entries: Entry[] = []
  const encode = utf8()

  function begin(name: string): Entry {
    return { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: output.size() }
  }

  function pack(entry: Entry, bytes: Uint8Array): void {
    output.write(bytes)
    entry.packed += bytes.length
  }

  function part(name: string): Part {
    const entry: Entry = { ...begin(name), hasDescriptor: true }
    output.write(headerOf(entry))
    let packing: Promise<Buffer> | undefined
    /** Waits for the chunk that the other thread compresses: then the buffer of its text is free. */
    const waitForChunk = async () => {
      const packed = await packing
      packing = undefined
      if (packed) pack(entry, packed)
    }
    return {
      async write(content) {
        if (content.length === 0) return
        await waitForChunk()
        const bytes = typeof content === 'string' ? encode(content) : content
        if (entry.size + bytes.length > PART_LIMIT) throw new Error(`"${name}" is larger than 4 GB.`)
        entry.crc = crc32(bytes, entry.crc)
        entry.size += bytes.length
        packing = packLater(bytes, PACKING)
        // If the caller fails before it waits for this, the error is ignored.
        packing.catch(() => {})
      },
      size: () => entry.size,
      async end() {
        await waitForChunk()
        pack(entry, LAST_BLOCK)
        output.write(dataDescriptor.write(entry))
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
      const entry: Entry = { ...begin(name), isStored: true, isLarge }
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
    /** Adds a whole part at once: a short one, as it is compressed by this thread. */
    add(name: string, text: string): void {
      const bytes = encode(text)
      const packed = Buffer.concat([bytes.length ? deflateRawSync(bytes, PACKING) : bytes, LAST_BLOCK])
      const entry: Entry = { ...begin(name), crc: crc32(bytes), packed: packed.length, size: bytes.length }
      output.write(headerOf(entry))
      output.write(packed)
      entries.push(entry)
    },
    /** Writes the directory; nothing may follow. */
    end(): void {
      for (const record of directoryOf(entries, { at: output.size(), wide, wideCount })) output.write(record)
    },
  }
}

/** A small archive in memory, without compression. */
export function zipOf(parts: readonly { name: string; content: Uint8Array }[]): Uint8Array {
  const written: Uint8Array[] = []
  let length = 0
  const write = (bytes: Uint8Array) => {
    written.push(bytes)
    length += bytes.length
  }
  const entries = parts.map(({ name, content }): Entry => {
    const sizes = { crc: crc32(content), packed: content.length, size: content.length }
    const entry = { name: Buffer.from(name), ...sizes, at: length, isStored: true }
    write(headerOf(entry))
    write(content)
    return entry
  })
  for (const record of directoryOf(entries, { at: length })) write(record)
  return Buffer.concat(written)
}

/** The records of the directory, which begins at `at`, and of the end; see `zipTo` for the other two. */
export function* directoryOf(
  entries: readonly Entry[],
  { at, wide = BEYOND_32, wideCount = BEYOND_16 }: { at: number; wide?: number; wideCount?: number },
): Generator<Buffer> {
  let size = 0
  for (const entry of entries) {
    const record = entryOf(entry, entry.at >= wide)
    size += record.length
    yield record
  }
  const count = entries.length
  if (at + size >= wide || count >= wideCount) yield wideEndOf(count, at, size)
  const short = count >= wideCount ? BEYOND_16 : count
  yield directoryEnd.write({
    countHere: short,
    count: short,
    size: size >= wide ? BEYOND_32 : size,
    at: at >= wide ? BEYOND_32 : at,
  })
}

/** What `zipTo` writes before a part and after it. */
export const recordsAround = (entry: Entry): { before: Buffer; after: Buffer } => ({
  before: headerOf(entry.hasDescriptor ? { ...entry, crc: 0, packed: 0, size: 0 } : entry),
  after: entry.hasDescriptor ? dataDescriptor.write(entry) : Buffer.alloc(0),
})

/** The fields that the local header and the directory entry of a part share. */
const common = ({ name, isStored, isLarge, hasDescriptor, crc, packed, size }: Entry) => ({
  flags: (name.some((byte) => byte > 0x7f) ? UTF8 : 0) | (hasDescriptor ? DESCRIBED : 0),
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
    madeBy: UNIX | version,
    version,
    extraLength: extra.length,
    commentLength: 0,
    attributes: ATTRIBUTES,
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
