/** Answers requests for the files of the pages. */
import { brotliDecompress } from 'node:zlib'
import { acceptsBrotli, hasCopy } from './negotiate'
import type { Pack, PackedFile } from './pack'
import { pageHeaders } from './policy'

const YEAR = 365 * 24 * 60 * 60

/** The content of a file as it was before compression. */
async function plain(pack: Pack, file: PackedFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await pack.read(file).bytes()
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  brotliDecompress(bytes, (error, result) => (error ? reject(error) : resolve(new Uint8Array(result))))
  return promise
}

/** The content of a file that is a text. */
export const plainText = async (pack: Pack, file: PackedFile): Promise<string> =>
  new TextDecoder().decode(await plain(pack, file))

/**
 * A worker has the policy that its own file came with, and browsers show pictures as pages of their own. Scripts and styles have that
 * of the page that loads them: for a page of fifteen files these headers would be a seventh of the first load.
 */
const hasPolicy = ({ isImmutable, type }: PackedFile): boolean => !isImmutable || type.startsWith('image/')

/** The file as the client takes it: compressed, plain, or not at all if it has it. @param common headers of every response */
export async function fileResponse(
  pack: Pack,
  file: PackedFile,
  request: Request,
  common: Readonly<Record<string, string>>,
): Promise<Response> {
  const isCompressed = acceptsBrotli(request)
  const etag = isCompressed ? `${file.hash}-br` : file.hash
  const headers: Record<string, string> = {
    ...common,
    ...(hasPolicy(file) ? pageHeaders : {}),
    'Cache-Control': file.isImmutable ? `public, max-age=${YEAR}, immutable` : 'no-cache',
    ETag: `"${etag}"`,
    Vary: 'Accept-Encoding',
  }
  if (hasCopy(request, etag)) return new Response(null, { status: 304, headers })
  headers['Content-Type'] = file.type
  if (!isCompressed) return new Response(await plain(pack, file), { headers })
  headers['Content-Encoding'] = 'br'
  return new Response(pack.read(file), { headers })
}
