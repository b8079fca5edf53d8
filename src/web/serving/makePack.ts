/** Makes the pack of what the pages load. The executable does not contain this file. */
import { brotliCompressSync, constants } from 'node:zlib'
import type { Bundle } from './bundle'
import { digest } from './digest'
import type { PackIndex } from './pack'

/** @param quality of the compression, from 1 to 11 */
const compress = (bytes: Uint8Array, quality: number): Uint8Array =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

/** Compresses the files into one pack. */
export function packOf(
  { files, entries, assets }: Bundle,
  quality: number,
): { index: PackIndex; bytes: Uint8Array<ArrayBuffer> } {
  const parts: Uint8Array[] = []
  const index: Record<string, PackIndex['files'][string]> = {}
  let start = 0
  for (const [path, { type, bytes, isImmutable }] of files) {
    const part = compress(bytes, quality)
    parts.push(part)
    index[path] = { type, start, end: start + part.length, hash: digest(bytes), isImmutable }
    start += part.length
  }
  const bytes = new Uint8Array(start)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return { index: { files: index, entries, assets }, bytes }
}
