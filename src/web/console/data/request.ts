/** Requests of the console: typed by the ids of operations, sent again after somebody has signed in again. */
import type { FormOf, OperationId, QueryOf } from '#web/kit/api/operations'
import { type Answer, ask } from '#web/kit/api/send'
import type { Operations } from '#web/kit/api/types'
import { newId } from '#web/kit/storage/ids'
import { isOffline, readSession, session, signedInAgain, translatorNow } from './session'

/** Operations that only read. */
export type ReadId = { [I in OperationId]: Operations[I]['method'] extends 'GET' ? I : never }[OperationId]
export type ParamsOf<I extends OperationId> = Operations[I]['params']
/** Operations that the pages send: all but those that replace whole lists by `PATCH`. */
export type ActId = {
  [I in OperationId]: Operations[I]['method'] extends 'POST' | 'PUT' | 'DELETE' ? I : never
}[OperationId]
type BodyFor<I extends OperationId> = Operations[I] extends { body: infer B }
  ? B
  : Operations[I] extends { body?: infer B }
    ? B | undefined
    : undefined

/** An answer to a request that was taken back, as another has taken its place. */
export const isAborted = (answer: Answer<unknown>): boolean => !answer.isDone && answer.status === ABORTED
const ABORTED = -1

type Query = Readonly<Record<string, string | number | boolean | undefined>> | undefined

/** The address of an operation. */
export function addressOf(path: string, params: readonly string[], query?: Query): string {
  let at = 0
  const filled = path.replaceAll(/:\w+/g, () => encodeURIComponent(params[at++] ?? ''))
  const entries = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  )
  return entries.length ? `${filled}?${new URLSearchParams(entries)}` : filled
}

type Method = Parameters<typeof ask>[1]
type Options = { body?: unknown; signal?: AbortSignal | undefined; key?: string | undefined }

/** Sends a request in the session. It waits while the person signs in again, and then goes out again with the same key. */
async function send<T>(method: Method, address: string, { body, signal, key = newId() }: Options): Promise<Answer<T>> {
  const headers: Record<string, string> = method === 'GET' ? {} : { 'Idempotency-Key': key }
  for (let attempt = 0; ; attempt++) {
    const csrfToken = method === 'GET' ? undefined : session.peek()?.csrfToken
    const answer = await ask<T>(translatorNow(), method, address, { body, csrfToken, headers, signal })
    if (signal?.aborted) return { isDone: false, status: ABORTED, message: '', fields: {}, details: {} }
    isOffline.value = !answer.isDone && answer.status === 0
    if (answer.isDone || attempt > 4) return answer
    if (answer.status === 401) await signedInAgain()
    // Somebody has signed in anew in another window: the session here has another token, or another person.
    else if (answer.details.code === 'csrf') await readSession()
    else return answer
  }
}

/**
 * Reads something once.
 * @param id of the operation, which gives the types
 * @param path of the operation, as the API has it
 */
export const read = <I extends ReadId, const Q extends QueryOf<I> | undefined = undefined>(
  _id: I,
  path: Operations[I]['path'],
  params: ParamsOf<I>,
  query?: Q,
  signal?: AbortSignal,
): Promise<Answer<FormOf<I, Q>>> => send('GET', addressOf(path, params, query as Query), { signal })

/**
 * Does something: its answer says what came of it, a refusal included.
 * @param key the same when the same is tried again, as the answer to the first try may have been lost
 */
export const act = <I extends ActId, const B extends BodyFor<I>>(
  _id: I,
  method: Operations[I]['method'] & Method,
  path: Operations[I]['path'],
  params: ParamsOf<I>,
  body?: B,
  key?: string,
): Promise<Answer<FormOf<I, undefined, B>>> => send(method, addressOf(path, params), { body, key })
