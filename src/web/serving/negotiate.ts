/** What a request says of the form of its answer: the language, the encoding, the copy that the browser has. */
import { preferences } from '#design/translations/languageChoice'
import { languageVariants } from '#kernel/template'
import { isLanguage, type Language } from '#web/kit/language/languages'

/** The cookie with the language that a person has chosen on this device. */
const COOKIE = 'language'
const YEAR = 365 * 24 * 60 * 60

const supportedLanguage = (language: string): Language | undefined =>
  languageVariants(language.toLowerCase()).find((each): each is Language => isLanguage(each))

/** The language for a request: what the person has chosen, else the first that the browser asks for and that exists, else English. */
export function languageOf({ headers }: Request): Language {
  const chosen = new RegExp(`(?:^|;\\s*)${COOKIE}=([a-z\\d-]+)(?:;|$)`).exec(headers.get('cookie') ?? '')?.[1]
  if (chosen && isLanguage(chosen)) return chosen
  for (const each of preferences(headers.get('accept-language'))) {
    const found = supportedLanguage(each)
    if (found) return found
  }
  return 'en'
}

/** The value of `Set-Cookie` that keeps a chosen language. Scripts need not read it: the page says its language. */
export const languageCookie = (language: Language): string =>
  `${COOKIE}=${language}; Path=/; Max-Age=${YEAR}; SameSite=Lax; HttpOnly`

/** Whether a client accepts brotli. */
export const acceptsBrotli = ({ headers }: Request): boolean =>
  preferences(headers.get('accept-encoding')).some((each) => each.toLowerCase() === 'br')

/** Whether the client has this content already. @param etag without quotes */
export const hasCopy = ({ headers }: Request, etag: string): boolean => {
  const held = headers.get('if-none-match')
  if (held === null) return false
  return held.trim() === '*' || held.split(',').some((each) => each.trim().replace(/^W\//, '') === `"${etag}"`)
}

/** A text as a response, or 304 if the client has it and it may be kept. */
export function textResponse(
  request: Request,
  type: string,
  text: string,
  common: Readonly<Record<string, string>>,
  status = 200,
): Response {
  const isKept = status === 200 && common['Cache-Control'] !== 'no-store'
  const etag = Bun.hash(text).toString(36)
  const headers = { ...common, ...(isKept ? { ETag: `"${etag}"` } : { 'Cache-Control': 'no-store' }) }
  if (isKept && hasCopy(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { status, headers: { ...headers, 'Content-Type': `${type}; charset=utf-8` } })
}
