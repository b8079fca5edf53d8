/** Downloads: whole or in part, straight from the disk. */
import { stat } from 'node:fs/promises'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { contentDisposition } from './names'

/** A file to send. `etag` is its SHA-256, without quotes; `size` in bytes, read from the disk where absent. */
export type Sendable = {
  path: string
  name: string
  type: string
  disposition?: 'attachment' | 'inline'
  size?: number
  etag?: string
  lastModified?: Instant
  headers?: Record<string, string>
}

/**
 * Answers GET and HEAD with the file: 200, 206 for one range (RFC 9110; several are answered with the whole), 304 where
 * the client has it already, 416 for a range outside it, 404 when it is gone. What a browser might run as a page is
 * only ever sent as an attachment. See docs/contract.md, "Files".
 */
export async function send(request: Request, file: Sendable): Promise<Response> {
  const onDisk = await stat(file.path).catch(() => undefined)
  // A file that is not the size on record is not the file that was asked for.
  if (!onDisk?.isFile() || onDisk.size !== (file.size ?? onDisk.size)) throw refuse.missing('file')
  const size = onDisk.size
  const headers = describe(file)
  if (isUnchanged(request.headers, headers)) return new Response(null, { status: 304, headers })

  const asked =
    request.method === 'GET' && mayBePartial(request.headers, headers) ? rangeOf(request.headers, size) : 'all'
  if (asked === 'none') {
    const message = `The range lies outside the file's ${size} bytes.`
    return Response.json({ message }, { status: 416, headers: { ...file.headers, 'Content-Range': `bytes */${size}` } })
  }
  const [start, end] = asked === 'all' ? [0, size] : asked
  headers.set('Content-Length', String(end - start))
  if (asked !== 'all') headers.set('Content-Range', `bytes ${start}-${end - 1}/${size}`)
  const body = request.method === 'HEAD' ? null : Bun.file(file.path).slice(start, end)
  return new Response(body, { status: asked === 'all' ? 200 : 206, headers })
}

// What browsers show without running any of it; all else is an attachment.
const SHOWN = /^(image\/(?!svg)|video\/|audio\/|application\/pdf$|text\/plain$|text\/csv$)/
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w-]+=("[\w .:+-]*"|[\w.:+-]+))*$/

function describe({ name, type, disposition = 'attachment', etag, lastModified, headers }: Sendable): Headers {
  const declared = MEDIA_TYPE.test(type) ? type : 'application/octet-stream'
  const harmless = SHOWN.test(declared.toLowerCase().replace(/\s*;.*$/, ''))
  return new Headers({
    'Content-Type': declared,
    'Content-Disposition': contentDisposition(harmless ? disposition : 'attachment', name),
    'Accept-Ranges': 'bytes',
    // Kept only by the reader's own browser, and shown again only while the link still works.
    'Cache-Control': 'private, no-cache',
    // The link itself must not travel on to a site that a document points to.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(harmless ? {} : { 'Content-Security-Policy': 'sandbox' }),
    ...(etag === undefined ? {} : { ETag: `"${etag}"` }),
    ...(lastModified === undefined ? {} : { 'Last-Modified': new Date(lastModified / 1000).toUTCString() }),
    ...headers,
  })
}

/** Whether the client's copy is current: by ETag where it names any, else by the second it was changed. */
function isUnchanged(asked: Headers, ours: Headers): boolean {
  const tags = asked.get('if-none-match')
  const etag = ours.get('etag')
  if (tags !== null) {
    return etag !== null && tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  }
  const since = Date.parse(asked.get('if-modified-since') ?? '')
  return Date.parse(ours.get('last-modified') ?? '') <= since
}

/** Whether a part may be sent: unless If-Range names another version than ours. */
function mayBePartial(asked: Headers, ours: Headers): boolean {
  const version = asked.get('if-range')
  return version === null || version === ours.get('etag') || version === ours.get('last-modified')
}

// Spaces are let pass because Bun does: it cuts a whole file by the request's Range itself, so the two must read it alike.
/** First byte and the one after the last; `all` where no single range is asked for, `none` where it holds no byte. */
function rangeOf(asked: Headers, size: number): [start: number, end: number] | 'all' | 'none' {
  const parts = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(asked.get('range') ?? '')
  if (!parts || (parts[1] === '' && parts[2] === '')) return 'all'
  const [first, last] = [Number(parts[1]), Number(parts[2])]
  if (parts[1] === '') return last === 0 || size === 0 ? 'none' : [Math.max(0, size - last), size]
  if (parts[2] !== '' && last < first) return 'all'
  if (first >= size) return 'none'
  return [first, parts[2] === '' ? size : Math.min(last + 1, size)]
}
