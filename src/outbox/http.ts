/** Sends a message by one HTTP request, and interprets the response. */

import { redacted } from './redaction'
import type { Outcome } from './words'

export type HttpMessage = {
  url: string
  headers: Record<string, string>
  body: BodyInit
  /** Texts to remove from the response before it is stored. */
  hidden: readonly string[]
  /** Milliseconds. */
  timeLimit?: number | undefined
}

/** Error codes of a failed connection: the message was not sent. */
export const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|.*(CERT|VERIFY|SELF_SIGNED).*)$/

/**
 * Posts the message; does not follow redirects. After a 5xx, 408 or 429 the message was not delivered, and it is tried again.
 * After a 504, a broken connection or a time-out it may have been delivered. Any other refusal is final.
 */
export async function post({
  url,
  headers,
  body,
  hidden,
  timeLimit = 30_000,
}: HttpMessage): Promise<Outcome & { code?: number }> {
  let response: Response
  try {
    const signal = AbortSignal.timeout(timeLimit)
    response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  } catch (error) {
    const { code, name } = error as { code?: unknown; name: string }
    if (UNCONNECTED.test(`${code}`)) return { is: 'again', detail: `It could not be reached (${code}).` }
    const why = name === 'TimeoutError' ? 'It did not answer in time' : 'The connection broke'
    return { is: 'unknown', detail: `${why}: the message may have arrived or not, and is not sent again.` }
  }
  const { status: code } = response
  if (response.ok) {
    await response.body?.cancel()
    return { is: 'sent', code }
  }
  const text = await beginning(response)
  const detail = `It answered ${code}${text ? `: ${redacted(text, hidden)}` : '.'}`
  if (code === 504)
    return { is: 'unknown', detail: `${detail} It may have arrived or not, and is not sent again.`, code }
  return { is: code >= 500 || code === 429 || code === 408 ? 'again' : 'failed', detail, code }
}

/** The beginning of the response body; empty if it cannot be read. */
async function beginning(response: Response): Promise<string> {
  try {
    const reader = response.body?.getReader()
    const first = await reader?.read()
    await reader?.cancel()
    return new TextDecoder().decode(first?.value?.subarray(0, 2000))
  } catch {
    return ''
  }
}
