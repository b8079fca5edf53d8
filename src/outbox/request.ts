/**
 * One HTTP request to an outside service. All such requests are made here, so that each has a limit of time and size, and none
 * follows a redirect: a slow or malicious service costs no more than its own request.
 */
import { type Reason, reason } from '#kernel/refusals/reason'
import { gateProblem } from './gate'

export type RequestLimits = {
  /** Milliseconds, from the connection to the last byte that is read. */
  timeLimit: number
  /** The most bytes of a body that are read, counted after they are unpacked. */
  sizeLimit: number
  /** Whether the body of an answer with this status is read; by default it always is. */
  isRead?: (status: number) => boolean
}

export type HttpRequest = {
  url: string | URL
  method: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: BodyInit
  /** Whether a compressed body is unpacked; by default it is. */
  decompress?: boolean
  tls?: { serverName: string; ca?: string }
}

/** The result of a request. Sentences are for staff to read: they hold neither addresses nor secrets. */
export type HttpResult =
  | {
      is: 'answered'
      status: number
      headers: Headers
      text: string
      /** Why the text is not the whole body. */
      missing?: Reason
    }
  | {
      is: 'unanswered'
      problem: Reason
      /** Whether it is certain that nothing was sent. */
      isUnsent: boolean
    }

const LATE = reason('answeredLate')
const UNKNOWN_NAME = /^(ENOTFOUND|EAI_|ENODATA|DNS_)/
const UNCONNECTED = /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/
/** Of a handshake: what is sent would follow it. */
const UNTRUSTED = /^EPROTO$|CERT|VERIFY|SIGNATURE|SELF_SIGNED|TLS|SSL|ALTNAME/i

/** What a failed request, or a failed look-up of a name, means. */
export function failureOf(error: unknown): HttpResult & { is: 'unanswered' } {
  const { code, name } = error as { code?: unknown; name?: unknown }
  const unanswered = (problem: Reason, isUnsent: boolean) => ({ is: 'unanswered' as const, problem, isUnsent })
  if (name === 'TimeoutError' || name === 'AbortError') return unanswered(LATE, false)
  if (typeof code !== 'string') return unanswered(reason('connectionBroke'), false)
  if (UNKNOWN_NAME.test(code)) return unanswered(reason('nameUnresolved', { error: code }), true)
  if (UNCONNECTED.test(code)) return unanswered(reason('notReached', { error: code }), true)
  if (UNTRUSTED.test(code)) return unanswered(reason('notTrusted', { error: code }), true)
  return unanswered(reason('connectionFailed', { error: code }), false)
}

/** Sends one request within the limits. Never throws. */
export async function request({ url, ...init }: HttpRequest, limits: RequestLimits): Promise<HttpResult> {
  const closed = gateProblem()
  if (closed !== undefined) return { is: 'unanswered', problem: closed, isUnsent: true }
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(new DOMException(LATE.text, 'TimeoutError')), limits.timeLimit)
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      // A connection that was kept may have been closed meanwhile: then it is unknown whether the request arrived.
      keepalive: false,
      signal: control.signal,
    })
    const { status, headers } = response
    const isRead = limits.isRead?.(status) ?? true
    return {
      is: 'answered',
      status,
      headers,
      ...(isRead ? await readBody(response, limits.sizeLimit) : { text: '' }),
    }
  } catch (error) {
    return failureOf(error)
  } finally {
    clearTimeout(timer)
    control.abort() // ends the connection if the answer goes on
  }
}

/** The body as far as it came, and as the limit allows. */
async function readBody(response: Response, sizeLimit: number): Promise<{ text: string; missing?: Reason }> {
  const decoder = new TextDecoder()
  let [text, left] = ['', sizeLimit]
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true })
      left -= chunk.length
      if (left < 0) return { text, missing: reason('sentTooMuch', { limit: sizeText(sizeLimit) }) }
    }
    return { text: text + decoder.decode() }
  } catch (error) {
    return { text, missing: failureOf(error).problem }
  }
}

const sizeText = (bytes: number): string => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KB` : `${bytes >> 20} MB`)

/** For how many whole seconds an answer asks to wait (`Retry-After`); undefined if it does not. @param now milliseconds */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
