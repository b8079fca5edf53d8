/** Downloads, whole or in part, directly from the disk. */
import { stat } from 'node:fs/promises'
import { refuse } from '#kernel/problem'
import { coded, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { type Growth, streamGrowing } from './growingFile'
import { contentDisposition } from './names'

/** A file to send. `etag` is its SHA-256, without quotes; `size` is in bytes; if it is absent, the size on disk counts. */
export type FileDownload = {
  path: string
  name: string
  type: string
  disposition?: 'attachment' | 'inline'
  size?: number
  etag?: string
  lastModified?: Instant
  /** Set while it is being written: then it is sent as it grows. */
  growth?: Growth | undefined
  /** Set for a rendering that this program made of a document: it is shown, and may neither run nor load anything. */
  isRendering?: boolean
  headers?: Record<string, string>
}

/**
 * Responds to GET and HEAD with the file: 200; 206 for one range (RFC 9110; for several ranges, the whole file); 304 if the
 * client has it already; 416 for a range outside it; 404 if it is gone. A file that is being written is sent whole, without its
 * length. A type that a browser might run as a page is only ever sent as an attachment. See docs/contract.md, "Files".
 */
export async function sendFile(request: Request, file: FileDownload): Promise<Response> {
  const onDisk = await stat(file.path).catch(() => undefined)
  // A file whose size differs from the recorded one is not the requested file.
  if (!onDisk?.isFile() || onDisk.size !== (file.size ?? onDisk.size)) throw refuse.missing('file')
  const size = onDisk.size
  const headers = headersOf(file)
  if (file.growth) {
    headers.delete('Accept-Ranges')
    return new Response(request.method === 'HEAD' ? null : streamGrowing(file.path, file.growth, true), { headers })
  }
  if (isUnchanged(request.headers, headers)) return new Response(null, { status: 304, headers })

  const range =
    request.method === 'GET' && mayBePartial(request.headers, headers) ? rangeOf(request.headers, size) : 'all'
  if (range === 'none') {
    const why = reason('rangeOutsideFile', { size })
    return Response.json(
      { message: why.text, details: coded(why) },
      { status: 416, headers: { ...file.headers, 'Content-Range': `bytes */${size}` } },
    )
  }
  const [start, end] = range === 'all' ? [0, size] : range
  headers.set('Content-Length', String(end - start))
  if (range !== 'all') headers.set('Content-Range', `bytes ${start}-${end - 1}/${size}`)
  const body = request.method === 'HEAD' ? null : Bun.file(file.path).slice(start, end)
  return new Response(body, { status: range === 'all' ? 200 : 206, headers })
}

// Types that a browser shows without running code; every other type is an attachment.
const HARMLESS = /^(image\/(?!svg)|video\/|audio\/|application\/pdf$|text\/plain$|text\/csv$)/
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=("[\w .:+-]*"|[\w.:+-]+))*$/

// Browsers show a PDF with a viewer of their own, which a sandbox would stop.
const ONLY_ITSELF = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`
const policyOf = (type: string) =>
  type.startsWith('application/pdf') ? `${ONLY_ITSELF}; object-src 'self'` : `${ONLY_ITSELF}; sandbox`

function headersOf(file: FileDownload): Headers {
  const { name, type, disposition = 'attachment', etag, lastModified, isRendering = false, headers } = file
  const declared = MEDIA_TYPE.test(type) ? type : 'application/octet-stream'
  const isHarmless = HARMLESS.test(declared.toLowerCase().replace(/\s*;.*$/, ''))
  return new Headers({
    'Content-Type': declared,
    'Content-Disposition': contentDisposition(isHarmless || isRendering ? disposition : 'attachment', name),
    'Accept-Ranges': 'bytes',
    // The next person at a shared tablet or a ward's computer must not find it; and each signed link is another one anyway.
    'Cache-Control': 'private, no-store',
    // A site that the document links to must not receive the signed link.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(isRendering
      ? { 'Content-Security-Policy': policyOf(declared) }
      : isHarmless
        ? {}
        : { 'Content-Security-Policy': 'sandbox' }),
    ...(etag === undefined ? {} : { ETag: `"${etag}"` }),
    ...(lastModified === undefined ? {} : { 'Last-Modified': new Date(lastModified / 1000).toUTCString() }),
    ...headers,
  })
}

/** Whether the client's copy is current: by ETag if the request has any, else by the second of the last change. */
function isUnchanged(request: Headers, response: Headers): boolean {
  const tags = request.get('if-none-match')
  const etag = response.get('etag')
  if (tags !== null) {
    return etag !== null && tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  }
  const since = Date.parse(request.get('if-modified-since') ?? '')
  return Date.parse(response.get('last-modified') ?? '') <= since
}

/** Whether a range may be sent: not if If-Range names another version of the file. */
function mayBePartial(request: Headers, response: Headers): boolean {
  const version = request.get('if-range')
  return version === null || version === response.get('etag') || version === response.get('last-modified')
}

// Spaces are accepted because Bun accepts them: it also applies the Range header to a file, and both must read it the same way.
/** The first byte and the one after the last; `all` if the request is not for one range, `none` if the range has no bytes. */
function rangeOf(request: Headers, size: number): [start: number, end: number] | 'all' | 'none' {
  const parts = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(request.get('range') ?? '')
  if (!parts || (parts[1] === '' && parts[2] === '')) return 'all'
  const [first, last] = [Number(parts[1]), Number(parts[2])]
  if (parts[1] === '') return last === 0 || size === 0 ? 'none' : [Math.max(0, size - last), size]
  if (parts[2] !== '' && last < first) return 'all'
  if (first >= size) return 'none'
  return [first, parts[2] === '' ? size : Math.min(last + 1, size)]
}
