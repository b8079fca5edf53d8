import { useEffect, useRef, useState } from 'preact/hooks'
import type { FormOf, QueryOf } from '#web/kit/api/operations'
import type { Answer, FailedAnswer } from '#web/kit/api/send'
import type { Operations } from '#web/kit/api/types'
import { addressOf, isAborted, type ParamsOf, type ReadId, read } from './request'

/** Something that is read from the server. */
export type ItemState<T> = {
  /** What is known of it. While it is read again, what was there last. */
  body: T | undefined
  /** Why it could not be read; what was there last stays beside it. */
  failure: FailedAnswer | undefined
  isLoading: boolean
  reload(): void
}

type State<T> = { subject: string; body?: T | undefined; failure?: FailedAnswer | undefined; isLoading: boolean }

/**
 * Reads what an operation answers, and again when its query changes: the request before is taken back. The last content stays in the
 * meantime, but never that of another thing: with other `params` it begins empty, so that nobody sees the data of somebody else.
 * @param params `undefined` if it is not to be read yet
 */
export function useItem<I extends ReadId, const Q extends QueryOf<I> | undefined = undefined>(
  id: I,
  path: Operations[I]['path'],
  params: ParamsOf<I> | undefined,
  query?: Q,
): ItemState<FormOf<I, Q>> {
  const subject = params ? addressOf(path, params) : ''
  const address = params ? addressOf(path, params, query as Parameters<typeof addressOf>[2]) : ''
  return useAnswer(subject, address, (signal) => read(id, path, params as ParamsOf<I>, query, signal))
}

/** The same for any request. @param address changes when it is to be sent again; empty for none */
export function useAnswer<T>(
  subject: string,
  address: string,
  request: (signal: AbortSignal) => Promise<Answer<T>>,
): ItemState<T> {
  const [state, setState] = useState<State<T>>({ subject, isLoading: address !== '' })
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(request)
  latest.current = request
  useEffect(() => {
    if (!address) return
    const abort = new AbortController()
    const isSame = (before: State<T>) => before.subject === subject
    setState((before) => ({ subject, body: isSame(before) ? before.body : undefined, isLoading: true }))
    void latest.current(abort.signal).then((answer) => {
      if (isAborted(answer) || abort.signal.aborted) return
      setState((before) =>
        answer.isDone
          ? { subject, body: answer.body, isLoading: false }
          : { subject, body: isSame(before) ? before.body : undefined, failure: answer, isLoading: false },
      )
    })
    return () => abort.abort()
  }, [address, attempt])
  // What is drawn before the effect has run must not be that of the thing before.
  const shown = state.subject === subject ? state : { isLoading: address !== '' }
  return { body: undefined, failure: undefined, ...shown, reload: () => setAttempt((before) => before + 1) }
}
