/** Requests of the app to the API, as the participant who is signed in. */
import { signal } from '@preact/signals-core'
import { type Answer, ask } from '#web/common/api'
import type { Speaker } from '../texts'
import type { Person } from './model'

/** Who is signed in; undefined if nobody is. */
export const personNow = signal<Person | undefined>(undefined)

/** Whether the server does not know the session any more. Nothing is lost: the person signs in again. */
export const sessionEnded = signal(false)

/** Whether the last request reached the server. */
export const reached = signal(navigator.onLine)

addEventListener('offline', () => {
  reached.value = false
})

/** The language of the app, which the server is asked to answer in. In the service worker it has no texts. */
export const speaking = signal<Pick<Speaker, 'language' | 'say'> | undefined>(undefined)

type Sent = {
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
  as?: Person
  keepalive?: boolean
  etag?: string | undefined
}

/** Sends a request as the participant who is signed in, or as `as`. Without one, as nobody. */
export async function askAs<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, idempotencyKey, signal, as = personNow.value, keepalive, etag }: Sent = {},
): Promise<Answer<T>> {
  const speaker = speaking.value
  if (!speaker) throw new Error('The app has no language yet.')
  const answer = await ask<T>(speaker, method, path, {
    body,
    signal,
    keepalive,
    headers: {
      ...(as ? { Authorization: `Bearer ${as.token}` } : {}),
      ...(etag === undefined ? {} : { 'If-None-Match': etag }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
  })
  if (!signal?.aborted) reached.value = answer.isDone || answer.status !== 0
  if (!answer.isDone && answer.status === 401 && as && as.token === personNow.value?.token) sessionEnded.value = true
  return answer
}
