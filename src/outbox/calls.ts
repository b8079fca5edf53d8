/**
 * Calls of outside services. Their addresses begin with one that the configuration names: no value of a participant or a trial is
 * ever more than a part of the path or the query. Nothing of a transaction waits for an answer.
 */
import { isObject, type JsonObject } from '#kernel/json'

export type Call = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Fields of a form. */
  form?: Record<string, string>
}

/** What became of a call. `text` is the body; a redirect is an answer like any other, and is not followed. */
export type Answer =
  | { is: 'answered'; status: number; headers: Headers; text: string }
  /** `detail`: one sentence without any secret. */
  | { is: 'failed'; detail: string }

export type CallLimits = {
  /** How many calls run at once; others wait. */
  atOnce: number
  /** How many may wait; more are refused. */
  waiting: number
  /** Milliseconds for one call, its whole answer included. */
  timeLimit: number
  /** The largest answer, in bytes. */
  sizeLimit: number
}

export const callLimits: CallLimits = { atOnce: 4, waiting: 200, timeLimit: 20_000, sizeLimit: 16 << 20 }

export type Caller = (call: Call) => Promise<Answer>

const failed = (detail: string): Answer => ({ is: 'failed', detail })

/** Makes a function that calls one service within these limits. It never throws. */
export function limitedCaller(limits: CallLimits = callLimits): Caller {
  const queue: (() => void)[] = []
  let running = 0
  return async (call) => {
    if (running >= limits.atOnce) {
      if (queue.length >= limits.waiting) return failed('Too many calls of the service wait already.')
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    running++
    try {
      return await answerOf(call, limits)
    } finally {
      running--
      queue.shift()?.()
    }
  }
}

async function answerOf({ method, url, headers = {}, form }: Call, limits: CallLimits): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { Accept: 'application/json', ...headers },
      ...(form ? { body: new URLSearchParams(form) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.timeLimit),
    })
    const text = await textOf(response, limits.sizeLimit)
    if (text === undefined) return failed(`It sent more than ${limits.sizeLimit >> 20} MB.`)
    return { is: 'answered', status: response.status, headers: response.headers, text }
  } catch (error) {
    const { code, name } = error as { code?: unknown; name: string }
    if (name === 'TimeoutError') return failed('It did not answer in time.')
    return failed(typeof code === 'string' ? `It could not be reached (${code}).` : 'The connection broke.')
  }
}

/** The body; undefined if it is larger than the limit. Bytes are counted after they are unpacked. */
async function textOf(response: Response, sizeLimit: number): Promise<string | undefined> {
  const all: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > sizeLimit) return undefined
    all.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(all))
}

/** The JSON object or list in a body; undefined if there is none. */
export function jsonIn(text: string): JsonObject | unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) || Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** For how many seconds an answer asks to wait; undefined if it does not. @param now milliseconds */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}
