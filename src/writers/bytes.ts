/** Numbers and texts as bytes, little-endian, collected into pieces before they are written. */
import { type Output, utf8 } from './file'

export type Bytes = ReturnType<typeof bytesTo>

const PIECE = 1 << 17

/** Collects bytes for a file. `flush` writes the last ones. */
export function bytesTo(output: Pick<Output, 'write'>) {
  const buffer = Buffer.allocUnsafe(PIECE)
  const encode = utf8()
  let at = 0

  /** The place for so many bytes. */
  const room = (length: number): number => {
    if (at + length > PIECE) flush()
    at += length
    return at - length
  }
  const flush = () => {
    if (at) output.write(buffer.subarray(0, at))
    at = 0
  }
  const bytes = (value: Uint8Array) => {
    if (value.length <= PIECE) return void buffer.set(value, room(value.length))
    flush()
    output.write(value)
  }
  return {
    flush,
    bytes,
    u8: (value: number) => void buffer.writeUInt8(value, room(1)),
    i8: (value: number) => void buffer.writeInt8(value, room(1)),
    u16: (value: number) => void buffer.writeUInt16LE(value, room(2)),
    i16: (value: number) => void buffer.writeInt16LE(value, room(2)),
    u32: (value: number) => void buffer.writeUInt32LE(value, room(4)),
    i32: (value: number) => void buffer.writeInt32LE(value, room(4)),
    u64: (value: number) => void buffer.writeBigUInt64LE(BigInt(value), room(8)),
    f64: (value: number) => void buffer.writeDoubleLE(value, room(8)),
    text: (value: string) => bytes(Buffer.from(value)),
    /** A text in a field of fixed length, which has room for it. */
    padded: (value: string, length: number, fill = 0) => {
      const from = room(length)
      const written = value === '' ? 0 : buffer.write(value, from, length)
      buffer.fill(fill, from + written, from + length)
    },
    /** A text of unknown length, which may be long. */
    long: (value: string) => bytes(encode(value)),
    fill: (length: number, value = 0) => bytes(Buffer.alloc(length, value)),
  }
}
