/** Answers that are not sent yet. They are written to the device shortly after each change. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { database, STRICT } from './database'
import type { Draft, KeptFile, Sent } from './model'
import { enqueue } from './queue'
import { personNow } from './request'

/** Milliseconds from the first change that is not kept until it is written. */
const SOON = 250

type Listed = { occurrence: string; keptAt: string }
const list = signal<readonly Listed[]>([])

/** The drafts of the person who is signed in. */
export const drafts: ReadonlySignal<readonly Listed[]> = list

/** Reads the list of drafts again. */
export async function readDrafts(): Promise<void> {
  const who = personNow.value?.who
  const all = who === undefined ? [] : await (await database()).getAll('drafts', IDBKeyRange.bound([who], [who, []]))
  list.value = all.map(({ occurrence, keptAt }) => ({ occurrence, keptAt }))
}

export type DraftPart = Pick<Draft, 'answers' | 'screen' | 'version' | 'opened'>

export type OpenDraft = {
  /** What is kept from before. */
  draft: Draft | undefined
  /** Another tab has this form open. */
  isReadOnly: boolean
  /** Keeps the answers: within a quarter of a second, or when the page is left. */
  keep(part: DraftPart): void
  /** Keeps the bytes of a file. The answer refers to it until it is sent. */
  keepFile(bytes: Blob, name: string): Promise<KeptFile>
  /** The bytes of a file of this draft. */
  fileOf(kept: KeptFile): Promise<Blob | undefined>
  /** Begins afresh. */
  discard(): Promise<void>
  /** Makes an entry of the draft, in one step, and tries to send it. @param title the name of the form */
  send(title: string): Promise<Sent>
  /** Lets other tabs have the form. Changes are kept. */
  close(): void
}

/** Milliseconds that a form waits for its lock: this tab may just be giving it back. */
const GIVEN_BACK = 800

/** Holds a lock until the returned function is called; undefined if another tab has it. Without locks, everybody gets it. */
function lockOf(name: string): Promise<(() => void) | undefined> {
  if (!navigator.locks) return Promise.resolve(() => {})
  return new Promise((resolve) => {
    navigator.locks
      .request(
        name,
        { signal: AbortSignal.timeout(GIVEN_BACK) },
        () => new Promise<void>((release) => resolve(() => release())),
      )
      .catch(() => resolve(undefined))
  })
}

/** Asks the browser not to clear what the app keeps. It may say no: nothing relies on it. */
function askToPersist(): void {
  navigator.storage?.persist?.().catch(() => undefined)
}

/** Opens the draft of an occurrence for the person who is signed in. */
export async function openDraft(occurrence: string): Promise<OpenDraft> {
  const person = personNow.value
  if (!person) throw new Error('Nobody is signed in.')
  const { who } = person
  const release = await lockOf(`draft ${who} ${occurrence}`)
  let before: Draft | undefined
  try {
    before = await (await database()).get('drafts', [who, occurrence])
  } catch (reason) {
    release?.()
    throw reason
  }
  let waiting: DraftPart | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  async function put(part: DraftPart): Promise<void> {
    const draft = { who, occurrence, ...part, keptAt: new Date().toISOString() }
    const transaction = (await database()).transaction('drafts', 'readwrite', STRICT)
    await Promise.all([transaction.store.put(draft), transaction.done])
    if (!list.value.length) askToPersist()
    await readDrafts()
  }

  /** Writes what waits. If the device refuses, as when the system closed the database, it waits again. */
  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const part = waiting
    waiting = undefined
    if (!part || !release) return writing
    writing = writing
      .catch(() => undefined)
      .then(() => put(part))
      .catch((reason) => {
        waiting ??= part
        timer ??= setTimeout(() => void write().catch(() => undefined), 4 * SOON)
        throw reason
      })
    writing.catch(() => undefined)
    return writing
  }
  const leaving = () => void write().catch(() => undefined)
  const hidden = () => {
    if (document.hidden) leaving()
  }
  addEventListener('pagehide', leaving)
  document.addEventListener('visibilitychange', hidden)

  return {
    draft: before,
    isReadOnly: !release,
    keep(part) {
      waiting = part
      timer ??= setTimeout(leaving, SOON)
    },
    async keepFile(bytes, name) {
      const id = crypto.randomUUID()
      const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
      await Promise.all([transaction.store.put({ id, who, draft: occurrence, bytes, name }), transaction.done])
      return { blob: id, name, type: bytes.type, size: bytes.size }
    },
    async fileOf({ blob }) {
      return (await (await database()).get('blobs', blob))?.bytes
    },
    async discard() {
      if (!release) return
      waiting = undefined
      await write().catch(() => undefined)
      const transaction = (await database()).transaction(['drafts', 'blobs'], 'readwrite', STRICT)
      await transaction.objectStore('drafts').delete([who, occurrence])
      const own = IDBKeyRange.only([who, occurrence])
      for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate(own)) await cursor.delete()
      await transaction.done
      await readDrafts()
    },
    async send(title) {
      if (!release) throw new Error('Another tab has this form.')
      await write()
      const sent = await enqueue(who, occurrence, title)
      await readDrafts()
      return sent
    },
    close() {
      removeEventListener('pagehide', leaving)
      document.removeEventListener('visibilitychange', hidden)
      void write()
        .catch(() => undefined)
        .finally(() => release?.())
    },
  }
}
