/** A zip container, written part after part to a file: deflate, and ZIP64 records where the archive asks for them. */
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { type Output, utf8 } from './file'

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
  /** Kept as it is, not compressed. */
  isStored?: boolean
  /** Its sizes do not fit into 32 bits. */
  isLarge?: boolean
}

/** The largest part: sizes stay in 32 bits, which the header before a part must decide before they are known. */
export const PART_LIMIT = 0xffff_fff0
const LEVEL = 2
const LOCAL = 30
/** Says that a name is UTF-8; without it readers take it for the character set of the first PC. */
const UTF8 = 0x800
/** 1980-01-01, the first day a zip can tell: the same rows make the same bytes. */
const DATE = 0x21
/** An empty last block of deflate. */
const LAST_BLOCK = Uint8Array.of(3, 0)

/**
 * Begins an archive in a file. Each piece of text is compressed by itself up to a byte boundary, so that nothing but
 * one piece is ever held; the header before a part is completed when the part ends.
 * @param wide from this offset, and `wideCount` parts, on ZIP64 is used; only tests have another
 */
export function zipTo(output: Output, wide = 0xffff_ffff, wideCount = 0xffff) {
  const entries: Entry[] = []
  const encode = utf8()

  function part(name: string): Part {
    const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at: output.size() }
    output.write(localHeader(entry))
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
        output.patch(localHeader(entry), entry.at)
        entries.push(entry)
      },
    }
  }

  return {
    part,
    /**
     * A file as it is, of any length: what is uploaded is mostly compressed already.
     * @param size of all pieces together, which the header before them must tell
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
      output.write(localHeader(entry))
      for (const piece of pieces) {
        output.write(piece)
        entry.crc = crc32(piece, entry.crc)
        entry.size += piece.length
      }
      if (entry.size !== size) throw new Error(`"${name}" changed while it was read.`)
      entry.packed = size
      output.patch(localHeader(entry), entry.at)
      entries.push(entry)
    },
    /** A whole part at once. */
    add(name: string, text: string): void {
      const one = part(name)
      one.write(text)
      one.end()
    },
    /** Writes the directory; nothing may follow. */
    end(): void {
      const at = output.size()
      for (const entry of entries) output.write(directoryEntry(entry, entry.at >= wide))
      const size = output.size() - at
      if (at + size >= wide || entries.length >= wideCount) output.write(wideEnd(entries.length, at, size))
      output.write(directoryEnd(entries.length, at, size, wide, wideCount))
    },
  }
}

/** From "version needed" to "length of name", which the local header and the directory share. */
function common(into: Buffer, entry: Entry, from: number, version: number): void {
  into.writeUInt16LE(version, from)
  into.writeUInt16LE(entry.name.some((byte) => byte > 0x7f) ? UTF8 : 0, from + 2)
  into.writeUInt16LE(entry.isStored ? 0 : 8, from + 4) // 8: deflate
  into.writeUInt16LE(DATE, from + 8)
  into.writeUInt32LE(entry.crc, from + 10)
  into.writeUInt32LE(entry.isLarge ? 0xffff_ffff : entry.packed, from + 14)
  into.writeUInt32LE(entry.isLarge ? 0xffff_ffff : entry.size, from + 18)
  into.writeUInt16LE(entry.name.length, from + 22)
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(LOCAL)
  header.writeUInt32LE(0x04034b50, 0)
  common(header, entry, 4, entry.isLarge ? 45 : 20)
  const extra = entry.isLarge ? wideExtra([entry.size, entry.packed]) : Buffer.alloc(0)
  header.writeUInt16LE(extra.length, 28)
  return Buffer.concat([header, entry.name, extra])
}

/** What does not fit into the header before it, in 64 bits each. */
function wideExtra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at)
  return extra
}

function directoryEntry(entry: Entry, isFar: boolean): Buffer {
  const header = Buffer.alloc(46)
  const beyond = [...(entry.isLarge ? [entry.size, entry.packed] : []), ...(isFar ? [entry.at] : [])]
  const extra = beyond.length ? wideExtra(beyond) : Buffer.alloc(0)
  const version = beyond.length ? 45 : 20
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  common(header, entry, 6, version)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(isFar ? 0xffff_ffff : entry.at, 42)
  return Buffer.concat([header, entry.name, extra])
}

/** The ZIP64 end of the directory and its locator. */
function wideEnd(count: number, at: number, size: number): Buffer {
  const end = Buffer.alloc(76)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(at), 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(at + size), 64)
  end.writeUInt32LE(1, 72)
  return end
}

function directoryEnd(count: number, at: number, size: number, wide: number, wideCount: number): Buffer {
  const end = Buffer.alloc(22)
  const short = count >= wideCount ? 0xffff : count
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(short, 8)
  end.writeUInt16LE(short, 10)
  end.writeUInt32LE(size >= wide ? 0xffff_ffff : size, 12)
  end.writeUInt32LE(at >= wide ? 0xffff_ffff : at, 16)
  return end
}
