/** A gzip stream in a file. Another thread (of Bun) compresses a piece while the next one is made. */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib'
import type { Output } from './file'

export type Gzip = {
  /** Adds bytes. Resolves when more may be added; the array may be used again then. @throws the error of the disk */
  write(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
}

/** Each piece is compressed separately, up to a byte boundary. */
const PACKING: ZlibOptions = { level: 4, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1 << 16 }
const packLater = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw)
const PIECE = 1 << 18
/** Deflate, no name, no time: the same bytes give the same file. The last one says that the system is unknown. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
/** An empty last block of deflate. */
const LAST_BLOCK = Uint8Array.of(3, 0)

/** Begins a stream at the end of the file. */
export function gzipTo(output: Pick<Output, 'write'>): Gzip {
  // One buffer is filled while the other one is compressed.
  let [filling, resting] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)]
  let used = 0
  let checksum = 0
  let size = 0
  let packing: Promise<Buffer> | undefined

  const waitForPiece = async () => {
    const packed = await packing
    packing = undefined
    if (packed) output.write(packed)
  }
  const pack = async () => {
    await waitForPiece()
    if (!used) return
    const piece = filling.subarray(0, used)
    checksum = crc32(piece, checksum)
    size += used
    packing = packLater(piece, PACKING)
    // If the caller fails before it waits for this, the error is ignored.
    packing.catch(() => {})
    const full = filling
    filling = resting
    resting = full
    used = 0
  }
  output.write(HEADER)
  return {
    async write(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const part = bytes.subarray(from, from + PIECE - used)
        filling.set(part, used)
        used += part.length
        from += part.length
        if (used === PIECE) await pack()
      }
    },
    async end() {
      await pack()
      await waitForPiece()
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(checksum, 0)
      trailer.writeUInt32LE(size % 2 ** 32, 4)
      output.write(LAST_BLOCK)
      output.write(trailer)
    },
  }
}
