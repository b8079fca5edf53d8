/** A client that uses the service over HTTP, as any other program would. */
import { fault } from '#kernel/fault'

/** Sends a request: `fetch`, or a replacement for it. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

// biome-ignore lint/suspicious/noExplicitAny: responses are read by name, and the comparisons check their content
type Body = any

export type Client = {
  get(path: string): Promise<Body>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Body>
  put(path: string, body?: unknown): Promise<Body>
  patch(path: string, body?: unknown): Promise<Body>
  /** A client of the same server with other credentials. */
  as(headers: Record<string, string>): Client
  /** Sends a request that must be refused. Returns the body of the refusal. @throws a fault if the status is another */
  expectRefusal(status: number, method: string, path: string, body?: unknown): Promise<Body>
  /** Sends a request. Returns the body and the headers of a successful response. */
  request(
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ): Promise<{ body: Body; headers: Headers }>
  /** Downloads a file by its signed link, without credentials. */
  download(link: string): Promise<Uint8Array>
}

/** The header that carries an API key or a participant's token. */
export const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })

/**
 * Makes a client without credentials; `as` makes one with them. A response other than 200 is thrown as a fault.
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
  async function request(method: string, path: string, body?: unknown, more?: Record<string, string>) {
    const answer = await call(method, path, body, more)
    if (answer.status !== 200) throw fault(`${method} ${path} returned ${answer.status}: ${answer.body?.message}`)
    return answer
  }
  return {
    get: async (path) => (await request('GET', path)).body,
    post: async (path, body = {}, headers) => (await request('POST', path, body, headers)).body,
    put: async (path, body = {}) => (await request('PUT', path, body)).body,
    patch: async (path, body = {}) => (await request('PATCH', path, body)).body,
    as: (headers) => connect(url, send, headers),
    request,
    async expectRefusal(status, method, path, body) {
      const answer = await call(method, path, body)
      if (answer.status !== status)
        throw fault(`${method} ${path} should have been refused with ${status}, and returned ${answer.status}`)
      return answer.body
    },
    async download(link) {
      const response = await send(link, { method: 'GET' })
      if (response.status !== 200) throw fault(`The file ${link} returned ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

/** How many requests run at a time if their order does not matter. */
const AT_ONCE = 16

/** Calls `act` for each element, several at a time. The first error is thrown. */
export async function forEach<T>(list: readonly T[], act: (each: T) => Promise<unknown>): Promise<void> {
  const rest = list.values()
  const worker = async () => {
    for (const each of rest) await act(each)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, list.length) }, worker))
}
