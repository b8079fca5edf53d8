/** Reads small zip archives (REDCap instruments, workbooks), and refuses those that would fill the memory. */
import { crc32, inflateRawSync } from 'node:zlib'
import { DEFLATED, directoryEnd, directoryEntry, ENCRYPTED, localHeader, STORED } from './zipFormat'

export type Entry = { name: string; read(): Uint8Array }
type Told = NonNullable<ReturnType<typeof directoryEntry.read>>

const MOST_ENTRIES = 2_000

export const isZip = (bytes: Uint8Array): boolean => localHeader.signature.equals(bytes.subarray(0, 4))

/**
 * The files in an archive. All of them together may hold at most `limit` bytes once unpacked, whatever the archive says
 * of itself: what is unpacked is counted.
 * @param refusal makes the error that is thrown, here and by `read`, if the archive cannot be read; one sentence
 */
export function entriesOf(bytes: Uint8Array, limit: number, refusal: (problem: string) => Error): Entry[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let left = limit
  const damaged = () => refusal('The zip archive is damaged: save or download the file again.')
  const tooLarge = () => refusal(`The archive is too large once unpacked: ${limit >> 20} MB are possible.`)

  function inflated(content: Uint8Array): Uint8Array {
    try {
      return inflateRawSync(content, { maxOutputLength: Math.max(1, left) })
    } catch (error) {
      throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged()
    }
  }

  function unpack({ at, packed, method, crc }: Told): Uint8Array {
    const header = localHeader.read(data, at)
    if (!header) throw damaged()
    const from = at + localHeader.length + header.nameLength + header.extraLength
    if (from + packed > data.length) throw damaged()
    if (method !== STORED && method !== DEFLATED) throw refusal('The archive is packed in a way that cannot be read.')
    const content = data.subarray(from, from + packed)
    const result = method === STORED ? content : inflated(content)
    left -= result.length
    if (left < 0) throw tooLarge()
    if (crc32(result) !== crc) throw damaged()
    return result
  }

  const end = directoryEnd.read(data, data.lastIndexOf(directoryEnd.signature))
  if (!end) throw damaged()
  if (end.count > MOST_ENTRIES) throw refusal(`The archive holds ${end.count} files; ${MOST_ENTRIES} are possible.`)
  const entries: Entry[] = []
  let at = end.at
  for (let n = 0; n < end.count; n++) {
    const told = directoryEntry.read(data, at)
    if (!told) throw damaged()
    if (told.flags & ENCRYPTED) throw refusal('The file is protected by a password: remove it and try again.')
    const nameAt = at + directoryEntry.length
    const name = data.toString('utf8', nameAt, nameAt + told.nameLength)
    entries.push({ name, read: () => unpack(told) })
    at = nameAt + told.nameLength + told.extraLength + told.commentLength
  }
  return entries
}
