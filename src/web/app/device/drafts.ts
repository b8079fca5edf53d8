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

/** Holds a lock until the returned function is called; undefined if another tab has it. Without locks, everybody gets it. */
async function lockOf(name: string): Promise<(() => void) | undefined> {
  if (!navigator.locks) return () => {}
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined)
      return new Promise<void>((release) => resolve(() => release()))
    })
  })
}

/** Opens the draft of an occurrence for the person who is signed in. */
export async function openDraft(occurrence: string): Promise<OpenDraft> {
  const person = personNow.value
  if (!person) throw new Error('Nobody is signed in.')
  const { who } = person
  const release = await lockOf(`draft ${who} ${occurrence}`)
  const before = await (await database()).get('drafts', [who, occurrence])
  let waiting: DraftPart | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const part = waiting
    waiting = undefined
    if (part && release) {
      const draft = { who, occurrence, ...part, keptAt: new Date().toISOString() }
      writing = writing.then(async () => {
        const transaction = (await database()).transaction('drafts', 'readwrite', STRICT)
        await Promise.all([transaction.store.put(draft), transaction.done])
        await readDrafts()
      })
    }
    return writing
  }
  const leaving = () => void write()
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
      timer ??= setTimeout(() => void write(), SOON)
    },
    async keepFile(bytes, name) {
      const id = crypto.randomUUID()
      await (await database()).put('blobs', { id, who, draft: occurrence, bytes, name })
      return { blob: id, name, type: bytes.type, size: bytes.size }
    },
    async fileOf({ blob }) {
      return (await (await database()).get('blobs', blob))?.bytes
    },
    async discard() {
      waiting = undefined
      await write()
      const transaction = (await database()).transaction(['drafts', 'blobs'], 'readwrite', STRICT)
      await transaction.objectStore('drafts').delete([who, occurrence])
      const own = IDBKeyRange.only([who, occurrence])
      for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate(own)) await cursor.delete()
      await transaction.done
      await readDrafts()
    },
    async send(title) {
      await write()
      const sent = await enqueue(who, occurrence, title)
      await readDrafts()
      return sent
    },
    close() {
      removeEventListener('pagehide', leaving)
      document.removeEventListener('visibilitychange', hidden)
      void write().finally(() => release?.())
    },
  }
}
