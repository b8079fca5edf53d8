/** Requests of the pages to the API. */
import { acceptedLanguages } from '#web/kit/language/acceptedLanguages'
import type { Language } from '#web/kit/language/languages'
import type { Translator } from '#web/kit/language/translator'
import type { Answer, FailedAnswer } from './answer'

export type { Answer, FailedAnswer } from './answer'

type RefusalBody = {
  message?: string
  details?: Record<string, unknown>
  validations?: { json?: Record<string, readonly string[]> }
}

type RequestOptions = {
  body?: unknown
  /** Of a session: every request that changes something needs it. */
  csrfToken?: string | undefined
  /** Further headers, by name. */
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
  /** Whether it is sent even if the page is left at once. */
  keepalive?: boolean | undefined
}

/** What `Retry-After` says, as milliseconds: it has seconds or a date. Undefined without it, or if it cannot be read. */
export function retryDelayOf(header: string | null, now = Date.now()): number | undefined {
  if (!header?.trim()) return undefined
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

/** Sends a request to the API, to be answered in a language that the person reads. @param translator gives the message if the server does not answer */
export async function ask<T>(
  { t, language }: Pick<Translator, 't' | 'language'>,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, csrfToken, headers: more = {}, signal, keepalive = false }: RequestOptions = {},
): Promise<Answer<T>> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': acceptedLanguages(language),
    ...more,
  }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (csrfToken !== undefined) headers['X-CSRF-Token'] = csrfToken
  const content = body === undefined ? null : JSON.stringify(body)
  let response: Response
  try {
    // What the app keeps of a person it removes when they sign out: nothing of it stays in the cache of the browser.
    response = await fetch(path, {
      method,
      headers,
      body: content,
      signal: signal ?? null,
      keepalive,
      cache: 'no-store',
    })
  } catch {
    return { isDone: false, status: 0, message: t('site.unreachable'), fields: {}, details: {} }
  }
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) {
    return { isDone: true, body: answer as T, etag: response.headers.get('ETag') ?? undefined }
  }
  const { message, validations, details = {} }: RefusalBody = answer ?? {}
  const wait = retryDelayOf(response.headers.get('Retry-After'))
  const problems = Object.entries(validations?.json ?? {}).map(([field, list]) => [field, list.join(' ')])
  const refused: FailedAnswer = {
    isDone: false,
    status: response.status,
    message: message || t('site.failed'),
    fields: Object.fromEntries(problems),
    details,
    isRefusal: !response.ok && typeof message === 'string',
    ...(wait === undefined ? {} : { wait }),
  }
  // Nobody is signed in, which the page says in its own words: nothing is loaded for that.
  return method === 'GET' && response.status === 401 ? refused : inLanguage(refused, language)
}

/** A refusal of the server in the language of the page; in English if that cannot be loaded. Other answers stay as they are. */
export async function inLanguage(refused: FailedAnswer, language: Language): Promise<FailedAnswer> {
  if (language === 'en' || !refused.isRefusal) return refused
  const loaded = await import('#web/kit/refusals/translate').catch(() => undefined)
  return loaded ? loaded.translateRefusal(refused, language) : refused
}
