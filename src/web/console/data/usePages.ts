/** A long list of which the rows in view are read, a page at a time. */
import { useEffect, useReducer, useRef } from 'preact/hooks'
import type { Answer, FailedAnswer } from '#web/kit/api/send'
import { isAborted } from './request'

export type PageOf<Row> = { rows: readonly Row[]; total: number }

export type PagedList<Row> = {
  /** How many rows there are; undefined until the first answer. */
  total: number | undefined
  /** A row; undefined if it has not been read. */
  rowAt(at: number): Row | undefined
  /** Tells which rows are in view: their pages are read, and requests for others are taken back. */
  show(from: number, to: number): void
  /** The rows that have been read. */
  known(): Iterable<Row>
  failure: FailedAnswer | undefined
  /** Whether what is shown is that of the list before, until the first rows are there. */
  isLoading: boolean
  reload(): void
}

type ListContent<Row> = { total: number | undefined; pages: Map<number, readonly Row[]> }

/** What is known of a list, and what was asked for. */
type Store<Row> = ListContent<Row> & {
  key: string
  /** What is shown until the first rows are there. */
  before: ListContent<Row> | undefined
  pending: Map<number, AbortController>
  view: { from: number; to: number }
  failure: FailedAnswer | undefined
}

/**
 * @param key of the list: with another one it is read anew, and the rows of the one before stay until the first answer
 * @param perPage how many rows a page of the server has
 * @param readPage reads a page, counted from 0
 */
export function usePages<Row>(
  key: string,
  perPage: number,
  readPage: (page: number, signal: AbortSignal) => Promise<Answer<PageOf<Row>>>,
): PagedList<Row> {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const reader = useRef(readPage)
  reader.current = readPage
  const store = useRef<Store<Row> | undefined>(undefined)

  const begin = (from: number, to: number) => {
    const last = store.current
    for (const request of last?.pending.values() ?? []) request.abort()
    const before = last?.pages.size ? last : last?.before
    store.current = {
      key,
      total: undefined,
      pages: new Map(),
      before,
      pending: new Map(),
      view: { from, to },
      failure: undefined,
    }
    fetchView()
  }

  const fetchView = () => {
    const now = store.current
    if (!now) return
    const wanted = new Set<number>()
    for (let page = Math.floor(now.view.from / perPage); page <= Math.floor(now.view.to / perPage); page++)
      wanted.add(page)
    for (const [page, request] of now.pending) {
      if (wanted.has(page)) continue
      request.abort()
      now.pending.delete(page)
    }
    for (const page of wanted) if (!now.pages.has(page) && !now.pending.has(page)) void fetchPage(now, page)
  }

  async function fetchPage(into: Store<Row>, page: number): Promise<void> {
    const request = new AbortController()
    into.pending.set(page, request)
    const answer = await reader.current(page, request.signal)
    if (store.current !== into || isAborted(answer) || request.signal.aborted) return
    into.pending.delete(page)
    if (!answer.isDone) into.failure = answer
    else {
      // Somebody joined or left meanwhile: the rows of the other pages may have moved.
      if (into.total !== undefined && into.total !== answer.body.total) into.pages.clear()
      into.total = answer.body.total
      into.pages.set(page, answer.body.rows)
      into.failure = undefined
      const lastRow = Math.max(0, answer.body.total - 1)
      if (into.view.from > lastRow) into.view = { from: Math.max(0, lastRow - perPage), to: lastRow }
      fetchView()
    }
    redraw(undefined)
  }

  useEffect(() => {
    begin(0, perPage - 1)
    redraw(undefined)
  }, [key])
  useEffect(() => () => store.current?.pending.forEach((request) => void request.abort()), [])

  const now = store.current
  const isFresh = now?.key === key && now.total !== undefined
  const shown = isFresh ? now : (now?.before ?? (now?.pages.size ? now : undefined))
  return {
    total: shown?.total,
    rowAt: (at) => shown?.pages.get(Math.floor(at / perPage))?.[at % perPage],
    show: (from, to) => {
      const current = store.current
      if (!current || (current.view.from === from && current.view.to === to)) return
      current.view = { from, to: Math.max(from, to) }
      if (current.total !== undefined) fetchView()
    },
    known: () => [...(shown?.pages.values() ?? [])].flat(),
    failure: now?.failure,
    isLoading: !isFresh && !now?.failure,
    reload: () => {
      const view = store.current?.view ?? { from: 0, to: perPage - 1 }
      begin(view.from, view.to)
      redraw(undefined)
    },
  }
}
