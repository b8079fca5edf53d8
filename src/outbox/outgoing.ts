/**
 * Requests to addresses that people of a study have entered, such as those of webhooks (docs/webhooks.md, "Addresses that are
 * refused"). A name is resolved once, every address that it has is checked, and one of these addresses is connected to, so that a
 * name cannot change its meaning after the check. Redirects are not followed. Time and size are limited.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bareHost, hostInUrl } from '#kernel/address'
import { isInNetworks, isPublicAddress, type Network } from '#kernel/networks'
import { type Reason, reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import { gateProblem } from './gate'
import { failureOf, type HttpResult, request } from './request'

export type OutgoingConfig = Readonly<{
  /** Networks that may be called although they are not public. */
  networks?: readonly Network[]
  /** Whether no address is called. */
  isOff?: boolean
  /** Returns the addresses of a name. */
  resolve?: (host: string) => Promise<readonly string[]>
  /** Certificates to trust instead of the usual ones, as PEM. */
  ca?: string
  /** Called with the result of each request. */
  onResult?: (result: OutgoingResult) => void
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

export type OutgoingClient = {
  /** Whether no address is called: what is to be sent waits. */
  isOff: boolean
  /** Sends one request. Never throws: a request that could not be sent has a `problem`. */
  send(request: OutgoingRequest): Promise<OutgoingResult>
  /** What is wrong with an address before its name is resolved; undefined if it may be called. */
  problemOf(url: string): Reason | undefined
}

/** The most UTF-16 units of a response that are kept, and the most bytes that these can be. */
const MOST_TEXT = 4_000
const MOST_BYTES = 3 * MOST_TEXT
const TIME_LIMIT = 15_000

const OFF = reason('webhooksOff')
const PRIVATE = reason('privateAddress')

/** The IPv4 addresses first: more machines can reach these. */
const resolveName = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).sort((a, b) => a.family - b.family).map(({ address }) => address)

/** Creates the sender of requests to entered addresses. */
export function createOutgoingClient(config: OutgoingConfig = {}): OutgoingClient {
  const { networks = [], isOff = false, resolve = resolveName, ca, timeLimit = TIME_LIMIT, onResult } = config
  const isAllowed = (address: string) => isInNetworks(networks, address)
  const isRefused = (address: string) => !isPublicAddress(address) && !isAllowed(address)

  function problemOf(text: string): Reason | undefined {
    const url = URL.parse(text)
    // The parser would drop line breaks and spaces at the ends: what is stored must be what is called.
    if (!url || !/^https?:$/.test(url.protocol) || /[\s\p{Cc}]/u.test(text)) return reason('notHttpsAddress')
    if (url.username || url.password || url.hash) return reason('addressWithPassword')
    const host = bareHost(url.hostname)
    if (isIP(host) && isRefused(host)) return PRIVATE
    if (/(^|\.)localhost\.?$/i.test(host) && !networks.length) return PRIVATE
    if (url.protocol === 'http:' && (isIP(host) ? !isAllowed(host) : !networks.length))
      return reason('unprotectedAddress')
    return undefined
  }

  /** The addresses of a name, or why it must not be called. Never throws. */
  async function addressesOf(url: URL): Promise<readonly string[] | (HttpResult & { is: 'unanswered' })> {
    const refused = (problem: Reason) => ({ is: 'unanswered' as const, problem, isUnsent: true })
    const host = bareHost(url.hostname)
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new DOMException('The name server is too slow.', 'TimeoutError')), timeLimit)
    try {
      const found = isIP(host) ? [host] : await Promise.race([resolve(host), late])
      if (!found.length) return refused(reason('nameWithoutAddress'))
      if (found.some(isRefused)) return refused(PRIVATE)
      if (url.protocol === 'http:' && !found.every(isAllowed)) return refused(reason('onlyHttps'))
      return found
    } catch (error) {
      return failureOf(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Connects to this address of the host that the URL names. */
  function sendTo(url: URL, address: string, { method, headers, body }: OutgoingRequest, timeLeft: number) {
    const target = new URL(url)
    target.hostname = hostInUrl(address)
    return request(
      {
        url: target,
        method,
        headers: { ...headers, Host: url.host },
        decompress: false, // a small answer could become a large one
        tls: { serverName: bareHost(url.hostname), ...(ca === undefined ? {} : { ca }) },
        ...(body === undefined ? {} : { body }),
      },
      { timeLimit: timeLeft, sizeLimit: MOST_BYTES },
    )
  }

  async function answerOf(request: OutgoingRequest, end: number): Promise<HttpResult> {
    const url = new URL(request.url)
    const addresses = await addressesOf(url)
    if ('is' in addresses) return addresses
    const [first, second] = addresses
    const result = await sendTo(url, first!, request, end - performance.now())
    if (second === undefined || result.is === 'answered' || !result.isUnsent) return result
    return sendTo(url, second, request, end - performance.now())
  }

  async function resultOf(request: OutgoingRequest): Promise<OutgoingResult> {
    const wrong = gateProblem() ?? (isOff ? OFF : problemOf(request.url))
    if (wrong !== undefined) return { is: 'unanswered', problem: wrong.text, isRefused: true, duration: 0 }
    const began = performance.now()
    const result = await answerOf(request, began + timeLimit)
    const duration = Math.round(performance.now() - began)
    if (result.is === 'unanswered')
      return { is: 'unanswered', problem: result.problem.text, isRefused: result.problem === PRIVATE, duration }
    // An answer that never ends does not change what its status says.
    const { status, headers, text } = result
    return { is: 'answered', status, headers, text: cut(text, MOST_TEXT), duration }
  }

  async function send(request: OutgoingRequest): Promise<OutgoingResult> {
    const result = await resultOf(request)
    onResult?.(result)
    return result
  }
  return { send, problemOf, isOff }
}
