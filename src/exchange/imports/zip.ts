/** Reads small zip archives (REDCap instruments, workbooks), and refuses those that would fill the memory. */
import { inflateRawSync } from 'node:zlib'
import { unreadable } from '#design/stages/importPlan'

export type Entry = { name: string; read(): Uint8Array }

const MOST_ENTRIES = 2_000
const damaged = () => unreadable('The zip archive is damaged: save or download the file again.')

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4

/**
 * The files in an archive. All of them together may hold at most `limit` bytes once unpacked, whatever the archive says
 * of itself: what is unpacked is counted.
 */
export function entriesOf(bytes: Uint8Array, limit: number): Entry[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let left = limit
  const tooLarge = () => unreadable(`The archive is too large once unpacked: ${limit >> 20} MB are possible.`)

  function unpack(at: number, packed: number, method: number): Uint8Array {
    if (at + 30 > data.length || data.readUInt32LE(at) !== 0x04034b50) throw damaged()
    const from = at + 30 + data.readUInt16LE(at + 26) + data.readUInt16LE(at + 28)
    if (from + packed > data.length) throw damaged()
    const content = data.subarray(from, from + packed)
    if (method !== 0 && method !== 8) throw unreadable('The archive is packed in a way that cannot be read.')
    let result: Uint8Array = content
    if (method === 8) {
      try {
        result = inflateRawSync(content, { maxOutputLength: Math.max(1, left) })
      } catch (error) {
        throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged()
      }
    }
    left -= result.length
    if (left < 0) throw tooLarge()
    return result
  }

  const end = data.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > data.length) throw damaged()
  const count = data.readUInt16LE(end + 10)
  let at = data.readUInt32LE(end + 16)
  if (count > MOST_ENTRIES) throw unreadable(`The archive holds ${count} files; ${MOST_ENTRIES} are possible.`)
  const entries: Entry[] = []
  for (let n = 0; n < count; n++) {
    if (at + 46 > data.length || data.readUInt32LE(at) !== 0x02014b50) throw damaged()
    if (data.readUInt16LE(at + 8) & 1) throw unreadable('The file is protected by a password: remove it and try again.')
    const [method, packed, local] = [data.readUInt16LE(at + 10), data.readUInt32LE(at + 20), data.readUInt32LE(at + 42)]
    const length = data.readUInt16LE(at + 28)
    const name = data.toString('utf8', at + 46, at + 46 + length)
    entries.push({ name, read: () => unpack(local, packed, method) })
    at += 46 + length + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
  }
  return entries
}
