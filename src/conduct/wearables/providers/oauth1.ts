/** OAuth 1.0a (RFC 5849) with HMAC-SHA1. */
import { newSecret } from '#kernel/id'
import { type Instant, SECOND } from '#kernel/time'
import type { ServiceCall } from '#outbox/serviceCalls'

/** RFC 3986: all but unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

type Keys = { client: string; secret: string; token?: string; tokenSecret?: string }

/** `nonce` and `timestamp` (seconds) make each signature one of its own. */
export type RequestNonce = { nonce: string; timestamp: number }

export const requestNonceAt = (now: Instant): RequestNonce => ({
  nonce: newSecret(),
  timestamp: Math.floor(now / SECOND),
})

/** The signature of a request. @param parameters those of the query, of a form, and of the header */
export function signatureOf(
  method: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
  { secret, tokenSecret = '' }: Pick<Keys, 'secret' | 'tokenSecret'>,
): string {
  const { origin, pathname, searchParams } = new URL(url)
  const pairs = [...searchParams, ...Object.entries(parameters)].map(([name, value]) => [encode(name), encode(value)])
  const sorted = pairs.sort(([a, x], [b, y]) => (a! < b! ? -1 : a! > b! ? 1 : x! < y! ? -1 : 1))
  const list = sorted.map((pair) => pair.join('=')).join('&')
  const base = [method, encode(origin + pathname), encode(list)].join('&')
  return new Bun.CryptoHasher('sha1', `${encode(secret)}&${encode(tokenSecret)}`).update(base).digest('base64')
}

/** The call with the header that signs it. @param more parameters of the protocol, such as `oauth_callback` */
export function signedCall(
  call: ServiceCall,
  keys: Keys,
  { nonce, timestamp }: RequestNonce,
  more: Record<string, string> = {},
): ServiceCall {
  const protocol: Record<string, string> = {
    oauth_consumer_key: keys.client,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: `${timestamp}`,
    oauth_version: '1.0',
    ...(keys.token === undefined ? {} : { oauth_token: keys.token }),
    ...more,
  }
  const oauth_signature = signatureOf(call.method, call.url, { ...protocol, ...call.form }, keys)
  const fields = Object.entries({ ...protocol, oauth_signature }).map(([name, value]) => `${name}="${encode(value)}"`)
  return { ...call, headers: { ...call.headers, Authorization: `OAuth ${fields.join(', ')}` } }
}

/** The token in an answer of the protocol, which is a form. */
export function tokenIn(text: string): { token: string; tokenSecret: string } | undefined {
  const fields = new URLSearchParams(text.trim())
  const [token, tokenSecret] = [fields.get('oauth_token'), fields.get('oauth_token_secret')]
  return token && tokenSecret ? { token, tokenSecret } : undefined
}
