/** Answers that are not sent yet. They are written to the device shortly after each change. */
import { database, dropCopies, isFull, STRICT } from './database'
import { draftsChanged, readDrafts } from './draftList'
import { entryOfDraft } from './entries'
import { newId } from './ids'
import { draftLock, lockOf } from './locks'
import type { Draft, KeptFile, Said, Sent } from './model'
import { keepNotices } from './notices'
import { sendEntry } from './queue'
import { personNow } from './request'
import { sealing } from './tablet'

/** Milliseconds from the first change that is not kept until it is written. */
const SOON = 250

/** Milliseconds until a write that failed is tried again. */
const AGAIN = 2_000

export { drafts, readDrafts } from './draftList'

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
  /** Makes an entry of the draft, in one step, and tries to send it. @param title the name of the form @param said what it says then */
  send(title: string, said: Said): Promise<Sent & { entry?: string }>
  /** Lets other tabs have the form. Changes are kept. */
  close(): void
}

/** What is being written to the device now. */
const writes = new Set<Promise<unknown>>()

/** Resolves when all that is being written is kept, or has failed. */
export const draftsWritten = (): Promise<unknown> => Promise.allSettled(writes)

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
  let writing: Promise<unknown> = Promise.resolve()
  /** How many writes were begun. */
  let begun = 0
  /** The answers are in an entry now: kept as a draft as well, they would be sent twice. */
  let isSent = false

  /** Writes the answers. If that fails, they are written later; nothing newer is replaced by them. */
  async function put(part: DraftPart): Promise<void> {
    // Somebody who signs out has been asked, and their drafts are removed.
    if (personNow.value?.who !== who) return
    const number = ++begun
    try {
      const draft = { who, occurrence, ...part, keptAt: new Date().toISOString() }
      const transaction = (await database()).transaction('drafts', 'readwrite', STRICT)
      const put = transaction.store.put(draft)
      // It ends even if the page is left now.
      transaction.commit()
      await Promise.all([put, transaction.done])
      if (number === begun) await sealing.now?.draft(draft)
    } catch (cause) {
      // What the server said can be read again; answers cannot.
      if (isFull(cause)) await dropCopies(who).catch(() => undefined)
      if (number !== begun) return
      waiting ??= part
      timer ??= setTimeout(() => void write(), AGAIN)
      return
    }
    askToPersist()
    await draftsChanged()
  }

  function write(isLeaving = false): Promise<unknown> {
    clearTimeout(timer)
    timer = undefined
    const part = waiting
    waiting = undefined
    if (!part || !release) return writing
    const now: Promise<unknown> = isLeaving ? Promise.all([writing, put(part)]) : writing.then(() => put(part))
    writing = now
    writes.add(now)
    void now.finally(() => writes.delete(now)).catch(() => undefined)
    return now
  }
  // A page that is left hears of no end of the write before.
  const leaving = () => void write(true)
  const hidden = () => {
    if (document.hidden) leaving()
  }
  addEventListener('pagehide', leaving)
  document.addEventListener('visibilitychange', hidden)

  return {
    draft: before,
    isReadOnly: !release,
    keep(part) {
      if (isSent) return
      waiting = part
      timer ??= setTimeout(() => void write(), SOON)
    },
    async keepFile(bytes, chosenName) {
      // Whoever signed in meanwhile does not keep a file of somebody else.
      if (personNow.value?.who !== who) throw new Error('The person is not signed in any more.')
      const [id, name] = [newId(), chosenName.toWellFormed()]
      const put = async () => {
        const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
        const put = transaction.store.put({ id, who, draft: occurrence, bytes, name })
        transaction.commit()
        await Promise.all([put, transaction.done])
      }
      await put().catch(async (cause) => {
        if (!isFull(cause)) throw cause
        await dropCopies(who)
        await put()
      })
      const kept = { blob: id, name, type: bytes.type, size: bytes.size }
      await sealing.now?.file(occurrence, kept, bytes).catch(() => undefined)
      return kept
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
      await sealing.now?.forgetDraft(occurrence)
      await draftsChanged()
    },
    async send(title, { messages }) {
      if (!release) throw new Error('Another tab has this form.')
      if (isSent) throw new Error('The answers were sent already.')
      await write()
      if (waiting) await write()
      if (waiting) throw new Error('The answers cannot be kept on this device.')
      isSent = true
      const id = await entryOfDraft(who, occurrence, title).catch((reason) => {
        isSent = false
        throw reason
      })
      await keepNotices({ who, entry: id, title }, messages)
      return { ...(await sendEntry(id)), entry: id }
    },
    close() {
      removeEventListener('pagehide', leaving)
      document.removeEventListener('visibilitychange', hidden)
      void write().finally(() => release?.())
    },
  }
}
