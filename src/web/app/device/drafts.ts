/** Answers that are not sent yet. They are written to the device shortly after each change. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { database, readable, STRICT } from './database'
import { newId } from './ids'
import { draftLock, lockOf } from './locks'
import type { Draft, KeptFile, Sent } from './model'
import { enqueue } from './queue'
import { personNow } from './request'

/** Milliseconds from the first change that is not kept until it is written. */
const SOON = 250

/** Milliseconds until a write that failed is tried again. */
const AGAIN = 2_000

type Listed = { occurrence: string; keptAt: string }
const list = signal<readonly Listed[]>([])

/** The drafts of the person who is signed in. */
export const drafts: ReadonlySignal<readonly Listed[]> = list

/** Reads the list of drafts again. */
export async function readDrafts(): Promise<void> {
  const who = personNow.value?.who
  const all = who === undefined ? [] : await readable('drafts', IDBKeyRange.bound([who], [who, []]))
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

let isAsked = false

/** Asks the browser once not to delete what the app keeps. It may say no. */
function askToPersist(): void {
  if (isAsked) return
  isAsked = true
  void navigator.storage?.persist?.().catch(() => false)
}

/** Opens the draft of an occurrence for the person who is signed in. */
export async function openDraft(occurrence: string): Promise<OpenDraft> {
  const person = personNow.value
  if (!person) throw new Error('Nobody is signed in.')
  const { who } = person
  const release = await lockOf(draftLock(who, occurrence))
  const before = await database()
    .then((opened) => opened.get('drafts', [who, occurrence]))
    .catch((reason) => {
      release?.()
      throw reason
    })
  if (before) void readDrafts()
  let waiting: DraftPart | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  /** Writes the answers. If that fails, they are written later; nothing newer is replaced by them. */
  async function put(part: DraftPart): Promise<void> {
    // Somebody who signs out has been asked, and their drafts are removed.
    if (personNow.value?.who !== who) return
    try {
      const draft = { who, occurrence, ...part, keptAt: new Date().toISOString() }
      const transaction = (await database()).transaction('drafts', 'readwrite', STRICT)
      await Promise.all([transaction.store.put(draft), transaction.done])
    } catch {
      waiting ??= part
      timer ??= setTimeout(() => void write(), AGAIN)
      return
    }
    askToPersist()
    await readDrafts()
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const part = waiting
    waiting = undefined
    if (part && release) writing = writing.then(() => put(part))
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
      const id = newId()
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
      await write()
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
      if (waiting) await write()
      if (waiting) throw new Error('The answers cannot be kept on this device.')
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
