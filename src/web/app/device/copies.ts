/** What the server said last, kept on the device for each person: it is shown at once, and without a connection. */
import type { IDBPObjectStore } from 'idb'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { noteAnswer } from '#web/common/studyText'
import { allOf, type Copy, database, dropCopies, isFull, type Kept } from './database'
import { refusedWith } from './refused'
import { askAs, personNow } from './request'

export type Copied<T> = {
  /** What is known: the copy at first, then the answer of the server. */
  value: T | undefined
  /** When the server said it. */
  at: string | undefined
  isLoading: boolean
  /** Why it could not be read now; a copy may be there all the same. */
  fault: string | undefined
  /** The status of that refusal; 0 without a connection. */
  status: number | undefined
  refresh(): Promise<void>
}

type State<T> = Omit<Copied<T>, 'refresh'>

const NOTHING = { value: undefined, at: undefined, isLoading: true, fault: undefined, status: undefined }

/** Reads the copy of a path; undefined if there is none. */
export async function copyOf<T>(
  path: string,
): Promise<{ value: T; at: string; etag?: string | undefined } | undefined> {
  const person = personNow.value
  const kept = person && (await (await database()).get('copies', [person.who, path]))
  noteAnswer(kept?.value)
  return kept && { value: kept.value as T, at: kept.at, etag: kept.etag }
}

/** The most answers that are kept for a person. Those that were read longest ago go first. */
const MOST_COPIES = 100
/** The most bytes of one, roughly: a list that is larger is read again. */
const MOST_UNITS = 2_000_000

/** Keeps an answer of the server. If there is no room, the copies of this person go, and never a draft or an entry. */
async function keepCopy(copy: Copy): Promise<void> {
  if (JSON.stringify(copy.value ?? null).length > MOST_UNITS) return
  const transaction = (await database()).transaction('copies', 'readwrite')
  // Whoever writes hears of an end, too.
  transaction.done.catch(() => undefined)
  try {
    await write(transaction.store, copy)
    transaction.commit()
    await transaction.done
  } catch (cause) {
    if (isFull(cause)) await dropCopies(copy.who)
  }
}

/** Adds a copy, and removes those that are too many. */
async function write(store: IDBPObjectStore<Kept, ['copies'], 'copies', 'readwrite'>, copy: Copy): Promise<void> {
  await store.put(copy)
  const own = allOf(copy.who)
  if ((await store.count(own)) <= MOST_COPIES) return
  const oldest = (await store.getAll(own)).sort((a, b) => a.at.localeCompare(b.at)).slice(0, -MOST_COPIES)
  for (const { who, path } of oldest) await store.delete([who, path])
}

/** Milliseconds that an answer waits until it is kept, before it is shown. */
const KEEPING = 1_000

/** Asks the server and keeps its answer. Returns what it refused with. */
export async function fetchCopy<T>(
  path: string,
): Promise<{ value: T; at: string } | { fault: string; status: number }> {
  const person = personNow.value
  const known = await copyOf<T>(path).catch(() => undefined)
  const said = await askAs<T>('GET', path, { etag: known?.etag })
  // The server has nothing new to say.
  const isSame = known !== undefined && !said.isDone && said.status === 304
  const answer = isSame ? { isDone: true as const, body: known.value, etag: known.etag } : said
  if (!answer.isDone) return { fault: refusedWith(answer), status: answer.status }
  noteAnswer(answer.body)
  const at = new Date().toISOString()
  if (person && personNow.value?.who === person.who)
    await Promise.race([
      keepCopy({ who: person.who, path, value: answer.body, at, ...(answer.etag ? { etag: answer.etag } : {}) }).catch(
        () => undefined,
      ),
      new Promise((resolve) => setTimeout(resolve, KEEPING)),
    ])
  return { value: answer.body, at }
}

/** What a path of the API says, from the copy first. */
export function useCopy<T>(path: string): Copied<T> {
  const [state, setState] = useState<State<T> & { path: string }>({ ...NOTHING, path })
  const who = personNow.value?.who

  const refresh = useCallback(async () => {
    setState((before) => ({ ...(before.path === path ? before : NOTHING), path, isLoading: true }))
    const answer = await fetchCopy<T>(path)
    setState((before) => {
      if (before.path !== path) return before
      if ('fault' in answer) return { ...before, isLoading: false, fault: answer.fault, status: answer.status }
      return { path, ...answer, isLoading: false, fault: undefined, status: undefined }
    })
  }, [path, who])

  useEffect(() => {
    let isCurrent = true
    setState({ ...NOTHING, path })
    void copyOf<T>(path).then((kept) => {
      if (!kept || !isCurrent) return
      const { value, at } = kept
      setState((before) => (before.at === undefined ? { ...before, value, at } : before))
    })
    void refresh()
    const again = () => {
      if (!document.hidden) void refresh()
    }
    addEventListener('online', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      isCurrent = false
      removeEventListener('online', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [path, refresh])

  const { path: _, ...known } = state.path === path ? state : { ...NOTHING, path }
  return { ...known, refresh }
}
