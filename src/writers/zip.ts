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

type Entry = { name: Buffer; crc: number; packed: number; size: number; at: number }

/** The largest part: sizes stay in 32 bits, which the header before a part must decide before they are known. */
export const PART_LIMIT = 0xffff_fff0
const LEVEL = 2
const LOCAL = 30
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
  into.writeUInt16LE(8, from + 4) // deflate
  into.writeUInt16LE(DATE, from + 8)
  into.writeUInt32LE(entry.crc, from + 10)
  into.writeUInt32LE(entry.packed, from + 14)
  into.writeUInt32LE(entry.size, from + 18)
  into.writeUInt16LE(entry.name.length, from + 22)
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(LOCAL)
  header.writeUInt32LE(0x04034b50, 0)
  common(header, entry, 4, 20)
  return Buffer.concat([header, entry.name])
}

function directoryEntry(entry: Entry, isWide: boolean): Buffer {
  const header = Buffer.alloc(46)
  const extra = Buffer.alloc(isWide ? 12 : 0)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(isWide ? 45 : 20, 4)
  common(header, entry, 6, isWide ? 45 : 20)
  header.writeUInt16LE(extra.length, 30)
  header.writeUInt32LE(isWide ? 0xffff_ffff : entry.at, 42)
  if (isWide) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(entry.at), 4)
  }
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
