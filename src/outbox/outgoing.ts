/**
 * Requests to addresses that people of a study have entered, such as those of webhooks (docs/webhooks.md, "Addresses that are
 * refused"). A name is resolved once, every address that it has is checked, and one of these addresses is connected to, so that a
 * name cannot change its meaning after the check. Redirects are not followed. Time and size are limited.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bareHost, hostInUrl } from '#kernel/address'
import { isInNetworks, isPublicAddress, type Network } from '#kernel/networks'
import { cut } from '#kernel/text'

export type OutgoingConfig = Readonly<{
  /** Networks that may be called although they are not public. */
  networks?: readonly Network[]
  /** Returns the addresses of a name. */
  resolve?: (host: string) => Promise<readonly string[]>
  /** Certificates to trust instead of the usual ones, as PEM. */
  ca?: string
  /** The most milliseconds from the look-up of the name to the last byte that is read. */
  timeLimit?: number
}>

export type OutgoingRequest = {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
}

/** `problem`: why there is no answer, in one sentence; nothing was sent if it `isRefused`. Times are in milliseconds. */
export type OutgoingResult = { duration: number } & (
  | { is: 'answered'; status: number; headers: Headers; text: string }
  | { is: 'unanswered'; problem: string; isRefused?: boolean }
)

export type Outgoing = {
  /** Sends one request. Never throws: a request that could not be sent has a `problem`. */
  send(request: OutgoingRequest): Promise<OutgoingResult>
  /** What is wrong with an address before its name is resolved, as a sentence; undefined if it may be called. */
  problemOf(url: string): string | undefined
}

/** The most UTF-16 units of an answer that are read. */
const MOST_TEXT = 4_000
const TIME_LIMIT = 15_000
/** How many addresses of a name are tried, if no connection to the first is possible. */
const MOST_ADDRESSES = 2

const REFUSED =
  'This server does not call addresses in private networks. Its operator can allow one with --outgoing-networks.'

/** The IPv4 addresses first: more machines can reach these. */
const resolveName = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).sort((a, b) => a.family - b.family).map(({ address }) => address)

/** Error codes of a connection that was not made: the request was not sent. */
const UNCONNECTED = /^(ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/
const CERTIFICATE = /CERT|SIGNATURE|TLS|SSL|ALTNAME/i

function problemWith(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (name === 'TimeoutError' || name === 'AbortError') return 'It did not answer in time.'
  if (UNCONNECTED.test(`${code}`)) return 'It could not be reached: the connection was refused or failed.'
  if (CERTIFICATE.test(`${code}`)) return `Its certificate cannot be trusted, or its encryption failed (${code}).`
  return `The connection broke before there was a valid answer${typeof code === 'string' ? ` (${code})` : ''}.`
}

/** Reads the beginning of a body, and ends the connection if there is more. */
async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  if (!response.body) return text
  for await (const chunk of response.body) {
    text += decoder.decode(chunk.subarray(0, 4 * MOST_TEXT), { stream: true })
    if (text.length >= MOST_TEXT) break
  }
  return cut(text, MOST_TEXT)
}

/** Creates the sender of requests to entered addresses. */
export function openOutgoing(config: OutgoingConfig = {}): Outgoing {
  const { networks = [], resolve = resolveName, ca, timeLimit = TIME_LIMIT } = config
  const isAllowed = (address: string) => isInNetworks(networks, address)
  const isRefused = (address: string) => !isPublicAddress(address) && !isAllowed(address)

  function problemOf(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol)) return 'Must be an address that begins with https://.'
    if (url.username || url.password || url.hash) return 'Must be an address without a password and without a #.'
    const host = bareHost(url.hostname)
    if (isIP(host) && isRefused(host)) return REFUSED
    if (/(^|\.)localhost\.?$/i.test(host) && !networks.length) return REFUSED
    if (url.protocol === 'http:' && (isIP(host) ? !isAllowed(host) : !networks.length))
      return 'Must begin with https://, since what is sent would be unprotected.'
    return undefined
  }

  /** The addresses of a name. @throws the reason, as text, if one of them must not be called */
  async function addressesOf(url: URL, signal: AbortSignal): Promise<readonly string[]> {
    const host = bareHost(url.hostname)
    const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    ended.catch(() => {}) // nobody may be waiting for it any more
    const found = isIP(host) ? [host] : await Promise.race([resolve(host), ended])
    if (!found.length) throw 'Its name has no address.'
    if (found.some(isRefused)) throw REFUSED
    if (url.protocol === 'http:' && !found.every(isAllowed)) throw 'It must begin with https://.'
    return found
  }

  /** Connects to this address of the host that the URL names. */
  function ask(url: URL, address: string, { method, headers, body }: OutgoingRequest, signal: AbortSignal) {
    const target = new URL(url)
    target.hostname = hostInUrl(address)
    return fetch(target, {
      method,
      headers: { ...headers, Host: url.host },
      redirect: 'manual',
      keepalive: false, // another name at the same address must not get this connection
      decompress: false, // a small answer could become a large one
      signal,
      tls: { serverName: bareHost(url.hostname), ...(ca === undefined ? {} : { ca }) },
      ...(body === undefined ? {} : { body }),
    })
  }

  async function answerOf(request: OutgoingRequest, signal: AbortSignal): Promise<Response> {
    const url = new URL(request.url)
    const addresses = (await addressesOf(url, signal)).slice(0, MOST_ADDRESSES)
    for (const [at, address] of addresses.entries()) {
      try {
        return await ask(url, address, request, signal)
      } catch (error) {
        if (at === addresses.length - 1 || !UNCONNECTED.test(`${(error as { code?: unknown }).code}`)) throw error
      }
    }
    throw 'Its name has no address.'
  }

  async function send(request: OutgoingRequest): Promise<OutgoingResult> {
    const wrong = problemOf(request.url)
    if (wrong !== undefined) return { is: 'unanswered', problem: wrong, isRefused: true, duration: 0 }
    const began = performance.now()
    const duration = () => Math.round(performance.now() - began)
    const control = new AbortController()
    const timer = setTimeout(() => control.abort(new DOMException('too slow', 'TimeoutError')), timeLimit)
    try {
      const response = await answerOf(request, control.signal)
      const { status, headers } = response
      // An answer that never ends does not change what its status says.
      const text = await beginning(response).catch(() => '')
      return { is: 'answered', status, headers, text, duration: duration() }
    } catch (error) {
      if (typeof error === 'string')
        return { is: 'unanswered', problem: error, isRefused: error === REFUSED, duration: duration() }
      const { code } = error as { code?: unknown }
      const isUnknown = /^(ENOTFOUND|EAI_|ENODATA|DNS_)/.test(`${code}`)
      const problem = isUnknown ? 'Its name cannot be resolved.' : problemWith(error)
      return { is: 'unanswered', problem, duration: duration() }
    } finally {
      clearTimeout(timer)
      control.abort() // ends the connection if the answer goes on
    }
  }
  return { send, problemOf }
}
