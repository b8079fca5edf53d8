/**
 * JSON as it goes over the wire: compressed for clients that take it, and not sent again to a participant who has it
 * (docs/contract.md, "Compression and copies").
 */
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import { jsonResponse, toResponse } from './answer'
import { type Call, isSafe } from './call'
import { acceptedNames } from './contentNegotiation'

/** Smaller bodies go in one packet as they are. */
const SMALL = 1_000
/** Characters above which compression would hold up other requests: a thread does it. */
const LARGE = 50_000

type Bytes = Uint8Array<ArrayBuffer>
type Encoding = 'zstd' | 'gzip'

const gzipLater = promisify(gzip)

const compress: Record<Encoding, { now(text: string): Bytes; later(text: string): Promise<Bytes> }> = {
  // Its level 3 is smaller than gzip, in less than half of the time.
  zstd: {
    now: (text) => new Uint8Array(Bun.zstdCompressSync(text)),
    later: async (text) => new Uint8Array(await Bun.zstdCompress(text)),
  },
  gzip: {
    now: (text) => new Uint8Array(gzipSync(text, { level: 5 })),
    later: async (text) => new Uint8Array(await gzipLater(text, { level: 5 })),
  },
}

/** The best of the encodings that a client takes and this server makes. */
function encodingFor(accepted: string | null): Encoding | undefined {
  const named = acceptedNames(accepted)
  return (['zstd', 'gzip'] as const).find((each) => named.has(each))
}

/** Whether one of the tags of `If-None-Match` is this one. Both may be weak. */
const hasTag = (tags: string | null, etag: string): boolean =>
  tags?.split(',').some((each) => ['*', etag].includes(each.trim())) === true

const withVary = (before: string | undefined): string => [before, 'Accept-Encoding'].filter(Boolean).join(', ')

/**
 * The response of a success. A participant's own reads have an `ETag`: weak, since the same answer has other bytes in each encoding. On a
 * shared device they have none, since a browser may store what has one.
 * A response with a secret is not compressed: if others can add content to the same response, its length would reveal the secret.
 */
export async function encodeAnswer(call: Call, headers: Readonly<Record<string, string>>): Promise<Response> {
  const { plan, request, result } = call
  const { services, op } = plan
  if (result instanceof Response) return toResponse(services, 200, result, headers)
  const text = JSON.stringify(result ?? {})
  let own = headers
  const { caller } = call.context
  const isOwnDevice = caller.kind === 'participant' && caller.device === undefined
  if (isSafe(op) && !op.writesByGet && isOwnDevice && op.secret === undefined) {
    const etag = `W/"${Bun.hash(text).toString(36)}"`
    own = { ...own, ETag: etag, 'Cache-Control': 'private, no-cache' }
    if (hasTag(request.headers.get('if-none-match'), etag))
      return jsonResponse(services, 304, null, { ...own, Vary: withVary(own.Vary) })
  }
  if (text.length < SMALL || op.secret !== undefined) return jsonResponse(services, 200, text, own)
  own = { ...own, Vary: withVary(own.Vary) }
  const encoding = encodingFor(request.headers.get('accept-encoding'))
  if (!encoding) return jsonResponse(services, 200, text, own)
  const { now, later } = compress[encoding]
  const bytes = text.length > LARGE ? await later(text) : now(text)
  return jsonResponse(services, 200, bytes, { ...own, 'Content-Encoding': encoding })
}
