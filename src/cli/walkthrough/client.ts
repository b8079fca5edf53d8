/** Somebody who speaks to the service over HTTP, as any other program would. */
import { fault } from '#kernel/fault'

/** What carries a request: `fetch`, or something that stands in for it. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

// biome-ignore lint/suspicious/noExplicitAny: answers are read by name, and checked by what they hold
type Body = any

export type Client = {
  get(path: string): Promise<Body>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Body>
  put(path: string, body?: unknown): Promise<Body>
  patch(path: string, body?: unknown): Promise<Body>
  /** The same server, as somebody else. */
  as(headers: Record<string, string>): Client
  /** The body of the refusal that must come. @throws a fault where it does not, or is another */
  refused(status: number, method: string, path: string, body?: unknown): Promise<Body>
  /** A success with its headers. */
  answered(
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ): Promise<{ body: Body; headers: Headers }>
  /** The bytes of a file behind a signed link, asked for without any credential. */
  download(link: string): Promise<Uint8Array>
}

/** How an API key or a participant's token is sent. */
export const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })

/**
 * Somebody without credentials, until `as` gives them some. What is not answered with 200 is thrown as a fault.
 * @param url {base_url}, without a slash at its end
 */
export function connect(url: string, send: Send = fetch, credentials: Record<string, string> = {}): Client {
  async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const content =
      body === undefined
        ? { headers: { ...credentials, ...more } }
        : { headers: { ...credentials, 'Content-Type': 'application/json', ...more }, body: JSON.stringify(body) }
    const response = await send(`${url}${path}`, { method, ...content })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }
  async function answered(method: string, path: string, body?: unknown, more?: Record<string, string>) {
    const answer = await call(method, path, body, more)
    if (answer.status !== 200)
      throw fault(`${method} ${path} was answered with ${answer.status}: ${answer.body?.message}`)
    return answer
  }
  return {
    get: async (path) => (await answered('GET', path)).body,
    post: async (path, body = {}, headers) => (await answered('POST', path, body, headers)).body,
    put: async (path, body = {}) => (await answered('PUT', path, body)).body,
    patch: async (path, body = {}) => (await answered('PATCH', path, body)).body,
    as: (headers) => connect(url, send, headers),
    answered,
    async refused(status, method, path, body) {
      const answer = await call(method, path, body)
      if (answer.status !== status)
        throw fault(`${method} ${path} should have been refused with ${status}, and was answered with ${answer.status}`)
      return answer.body
    },
    async download(link) {
      const response = await send(link, { method: 'GET' })
      if (response.status !== 200) throw fault(`The file ${link} was answered with ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

/** How many requests are under way at a time where their order does not matter. */
const AT_ONCE = 16

/** Does something for each of a list, several at a time; the first that fails is thrown. */
export async function forEach<T>(list: readonly T[], act: (each: T) => Promise<unknown>): Promise<void> {
  const rest = list.values()
  const worker = async () => {
    for (const each of rest) await act(each)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, list.length) }, worker))
}
