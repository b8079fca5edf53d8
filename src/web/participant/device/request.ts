/** Requests of the app to the API, as the participant who is signed in. */
import { signal } from '@preact/signals-core'
import { type Answer, ask } from '#web/kit/api/send'
import type { Translator } from '#web/participant/texts'
import type { Person } from './model'

/** The participant who is signed in; undefined if there is none. */
export const currentPerson = signal<Person | undefined>(undefined)

/** Whether the server does not know the session any more. Nothing is lost: the person signs in again. */
export const sessionEnded = signal(false)

/** Whether the last request reached the server. */
export const isServerReachable = signal(navigator.onLine)

addEventListener('offline', () => {
  isServerReachable.value = false
})

/** The language of the app, which the server is asked to answer in. In the service worker it has no texts. */
export const currentTranslator = signal<Pick<Translator, 'language' | 't'> | undefined>(undefined)

type AppRequestOptions = {
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
  as?: Person
  keepalive?: boolean
  etag?: string | undefined
}

/** Sends a request as the participant who is signed in, or as `as`. If there is neither, the request has no credentials. */
export async function askAs<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, idempotencyKey, signal, as = currentPerson.value, keepalive, etag }: AppRequestOptions = {},
): Promise<Answer<T>> {
  const translator = currentTranslator.value
  if (!translator) throw new Error('The app has no language yet.')
  const answer = await ask<T>(translator, method, path, {
    body,
    signal,
    keepalive,
    headers: {
      ...(as ? { Authorization: `Bearer ${as.token}` } : {}),
      ...(etag === undefined ? {} : { 'If-None-Match': etag }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
  })
  if (!signal?.aborted) isServerReachable.value = answer.isDone || answer.status !== 0
  if (!answer.isDone && answer.status === 401 && as && as.token === currentPerson.value?.token)
    sessionEnded.value = true
  return answer
}
