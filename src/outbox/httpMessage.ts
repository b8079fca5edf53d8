/** Sends a message by one HTTP request, and interprets the response. */

import { redact } from './redaction'
import { request } from './request'
import type { Outcome } from './status'

export type HttpMessage = {
  url: string
  headers: Record<string, string>
  body: BodyInit
  /** Texts to remove from the response before it is stored. */
  secrets: readonly string[]
  /** Milliseconds. */
  timeLimit?: number | undefined
}

const UNKNOWN_OUTCOME = 'It may have arrived or not, and is not sent again.'

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/**
 * Posts the message; does not follow redirects. After a 5xx, 408 or 429 the message was not delivered, and it is tried again.
 * After a 504, a broken connection or a time-out it may have been delivered. Any other refusal is final.
 */
export async function post({
  secrets,
  timeLimit = 30_000,
  ...message
}: HttpMessage): Promise<Outcome & { code?: number }> {
  const limits = { timeLimit, sizeLimit: 2_000, isRead: (status: number) => !isSuccess(status) }
  const result = await request({ method: 'POST', ...message }, limits)
  if (result.is === 'unanswered') {
    const { problem, isUnsent } = result
    const detail = problem.text
    return isUnsent ? { is: 'again', detail } : { is: 'unknown', detail: `${detail} ${UNKNOWN_OUTCOME}` }
  }
  const { status: code, text } = result
  if (isSuccess(code)) return { is: 'sent', code }
  const detail = `It answered ${code}${text ? `: ${redact(text, secrets)}` : '.'}`
  if (code === 504) return { is: 'unknown', detail: `${detail} ${UNKNOWN_OUTCOME}`, code }
  return { is: code >= 500 || code === 429 || code === 408 ? 'again' : 'failed', detail, code }
}
