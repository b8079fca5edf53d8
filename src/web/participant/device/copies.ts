/** The latest answers of the server, kept on the device for each person: they are shown at once, and without a connection. */
import type { IDBPObjectStore } from 'idb'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { noteAnswerLanguages } from '#web/kit/language/studyText'
import { type Copy, type DeviceSchema, database, dropCopies, isQuotaExceeded, personRange } from './database'
import { refusalText } from './refusalText'
import { askAs, currentPerson } from './request'

export type CopyState<T> = {
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

type State<T> = Omit<CopyState<T>, 'refresh'>

const NOTHING = { value: undefined, at: undefined, isLoading: true, fault: undefined, status: undefined }

/** Reads the copy of a path; undefined if there is none. */
export async function readCopy<T>(
  path: string,
): Promise<{ value: T; at: string; etag?: string | undefined } | undefined> {
  const person = currentPerson.value
  const kept = person && (await (await database()).get('copies', [person.who, path]))
  noteAnswerLanguages(kept?.value)
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
  // A failure is reported to the code that writes, too.
  transaction.done.catch(() => undefined)
  try {
    await write(transaction.store, copy)
    transaction.commit()
    await transaction.done
  } catch (cause) {
    if (isQuotaExceeded(cause)) await dropCopies(copy.who)
  }
}

/** Adds a copy, and removes those that are too many. */
async function write(
  store: IDBPObjectStore<DeviceSchema, ['copies'], 'copies', 'readwrite'>,
  copy: Copy,
): Promise<void> {
  await store.put(copy)
  const own = personRange(copy.who)
  if ((await store.count(own)) <= MOST_COPIES) return
  const oldest = (await store.getAll(own)).sort((a, b) => a.at.localeCompare(b.at)).slice(0, -MOST_COPIES)
  for (const { who, path } of oldest) await store.delete([who, path])
}

/** Milliseconds that an answer waits until it is kept, before it is shown. */
const KEEP_TIMEOUT = 1_000

/** Requests an answer and keeps it. Returns the refusal if the server refused. */
export async function fetchCopy<T>(
  path: string,
): Promise<{ value: T; at: string } | { fault: string; status: number }> {
  const person = currentPerson.value
  const known = await readCopy<T>(path).catch(() => undefined)
  const response = await askAs<T>('GET', path, { etag: known?.etag })
  // The server has nothing new to say.
  const isSame = known !== undefined && !response.isDone && response.status === 304
  const answer = isSame ? { isDone: true as const, body: known.value, etag: known.etag } : response
  if (!answer.isDone) return { fault: refusalText(answer), status: answer.status }
  noteAnswerLanguages(answer.body)
  const at = new Date().toISOString()
  if (person && currentPerson.value?.who === person.who)
    await Promise.race([
      keepCopy({ who: person.who, path, value: answer.body, at, ...(answer.etag ? { etag: answer.etag } : {}) }).catch(
        () => undefined,
      ),
      new Promise((resolve) => setTimeout(resolve, KEEP_TIMEOUT)),
    ])
  return { value: answer.body, at }
}

/** What a path of the API says, from the copy first. */
export function useCopy<T>(path: string): CopyState<T> {
  const [state, setState] = useState<State<T> & { path: string }>({ ...NOTHING, path })
  const who = currentPerson.value?.who

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
    void readCopy<T>(path).then((kept) => {
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
