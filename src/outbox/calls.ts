/**
 * Calls of outside services. Their addresses begin with one that the configuration names: no value of a participant or a trial is
 * ever more than a part of the path or the query. Nothing of a transaction waits for an answer.
 */
import { isObject, type JsonObject } from '#kernel/json'
import { type Limits, request } from './request'

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

export type CallLimits = Limits & {
  /** How many calls run at once; others wait. */
  atOnce: number
  /** How many may wait; more are refused. */
  waiting: number
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

async function answerOf({ form, headers, ...call }: Call, limits: CallLimits): Promise<Answer> {
  const accepting = { Accept: 'application/json', ...headers }
  const result = await request(
    { ...call, headers: accepting, ...(form && { body: new URLSearchParams(form) }) },
    limits,
  )
  if (result.is === 'unanswered') return failed(result.problem)
  const { missing, ...answer } = result
  return missing === undefined ? answer : failed(missing)
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
