/** Reads small zip archives (REDCap instruments, workbooks), and refuses those that would need too much memory. */
import { crc32, inflateRawSync } from 'node:zlib'
import type { MakeUnreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { DEFLATED, directoryEnd, directoryEntry, ENCRYPTED, localHeader, STORED } from './zipFormat'

export type Entry = { name: string; read(): Uint8Array }
type DirectoryEntry = NonNullable<ReturnType<typeof directoryEntry.read>>

const MOST_ENTRIES = 2_000

export const isZip = (bytes: Uint8Array): boolean => localHeader.signature.equals(bytes.subarray(0, 4))

/**
 * Returns the files in an archive. Together they may have at most `limit` bytes when unpacked. The unpacked bytes are counted;
 * the sizes that the archive states are not trusted.
 * @param refusal makes the error from a reason; this function and `read` throw it if the archive cannot be read
 */
export function entriesOf(bytes: Uint8Array, limit: number, refusal: MakeUnreadable): Entry[] {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let left = limit
  const damaged = () => refusal(reason('archiveDamaged'))
  const tooLarge = () => refusal(reason('archiveTooLargeUnpacked', { limit: limit >> 20 }))

  function inflate(content: Uint8Array): Uint8Array {
    try {
      return inflateRawSync(content, { maxOutputLength: Math.max(1, left) })
    } catch (error) {
      throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged()
    }
  }

  function unpack({ at, packed, method, crc }: DirectoryEntry): Uint8Array {
    const header = localHeader.read(data, at)
    if (!header) throw damaged()
    const from = at + localHeader.length + header.nameLength + header.extraLength
    if (from + packed > data.length) throw damaged()
    if (method !== STORED && method !== DEFLATED) throw refusal(reason('archiveOtherPacking'))
    const content = data.subarray(from, from + packed)
    const result = method === STORED ? content : inflate(content)
    left -= result.length
    if (left < 0) throw tooLarge()
    if (crc32(result) !== crc) throw damaged()
    return result
  }

  const end = directoryEnd.read(data, data.lastIndexOf(directoryEnd.signature))
  if (!end) throw damaged()
  if (end.count > MOST_ENTRIES) throw refusal(reason('archiveTooManyFiles', { held: end.count, most: MOST_ENTRIES }))
  const entries: Entry[] = []
  let at = end.at
  for (let n = 0; n < end.count; n++) {
    const entry = directoryEntry.read(data, at)
    if (!entry) throw damaged()
    if (entry.flags & ENCRYPTED) throw refusal(reason('fileProtected'))
    const nameAt = at + directoryEntry.length
    const name = data.toString('utf8', nameAt, nameAt + entry.nameLength)
    entries.push({ name, read: () => unpack(entry) })
    at = nameAt + entry.nameLength + entry.extraLength + entry.commentLength
  }
  return entries
}
