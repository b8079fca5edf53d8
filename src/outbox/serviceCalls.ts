/**
 * Calls of outside services. Their addresses begin with one that the configuration names: no value of a participant or a trial is
 * ever more than a part of the path or the query. No transaction waits for a response.
 */
import { isObject, type JsonObject } from '#kernel/json'
import { type Reason, reason } from '#kernel/refusals/reason'
import { type RequestLimits, request } from './request'

export type ServiceCall = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Fields of a form. */
  form?: Record<string, string>
}

/** The result of a call. `text` is the body; a redirect is an answer like any other, and is not followed. */
export type CallResult =
  | { is: 'answered'; status: number; headers: Headers; text: string }
  /** `detail`: one sentence without any secret. */
  | { is: 'failed'; detail: Reason }

export type CallLimits = RequestLimits & {
  /** How many calls run at once; others wait. */
  atOnce: number
  /** How many may wait; more are refused. */
  mostWaiting: number
}

export const callLimits: CallLimits = { atOnce: 4, mostWaiting: 200, timeLimit: 20_000, sizeLimit: 16 << 20 }

export type ServiceCaller = (call: ServiceCall) => Promise<CallResult>

const failed = (detail: Reason): CallResult => ({ is: 'failed', detail })

/** Makes a function that calls one service within these limits. It never throws. */
export function limitedServiceCaller(limits: CallLimits = callLimits): ServiceCaller {
  const queue: (() => void)[] = []
  let running = 0
  return async (call) => {
    if (running >= limits.atOnce) {
      if (queue.length >= limits.mostWaiting) return failed(reason('tooManyCallsWait'))
      await new Promise<void>((resolve) => queue.push(resolve))
    }
    running++
    try {
      return await resultOf(call, limits)
    } finally {
      running--
      queue.shift()?.()
    }
  }
}

async function resultOf({ form, headers, ...call }: ServiceCall, limits: CallLimits): Promise<CallResult> {
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
