/** Answers that are not sent yet. They are written to the device shortly after each change. */

import type { FormDraft } from '#web/form/answers/draft'
import type { DraftPart } from '#web/form/answers/model'
import { newId } from '#web/kit/storage/ids'
import { acquireLock, draftLock } from '#web/kit/storage/locks'
import { database, dropCopies, isQuotaExceeded, STRICT } from './database'
import { notifyDraftsChanged, readDrafts } from './draftList'
import { createEntry } from './entries'
import { keepNotices } from './notices'
import { sendEntry } from './queue'
import { currentPerson } from './request'
import { sealedStore } from './tablet'

/** Milliseconds from the first change that is not kept until it is written. */
const WRITE_DELAY = 250

/** Milliseconds until a write that failed is tried again. */
const RETRY_DELAY = 2_000

export { drafts, readDrafts } from './draftList'

/** What is being written to the device now. */
const writes = new Set<Promise<unknown>>()

/** Resolves when all that is being written is kept, or has failed. */
export const whenDraftsWritten = (): Promise<unknown> => Promise.allSettled(writes)

let isPersistenceRequested = false

/** Asks the browser once not to delete what the app keeps. It may say no. */
function requestPersistence(): void {
  if (isPersistenceRequested) return
  isPersistenceRequested = true
  void navigator.storage?.persist?.().catch(() => false)
}

/** Opens the draft of an occurrence for the person who is signed in. */
export async function openDraft(occurrence: string): Promise<FormDraft> {
  const person = currentPerson.value
  if (!person) throw new Error('Nobody is signed in.')
  const { who } = person
  const release = await acquireLock(draftLock(who, occurrence))
  const before = await database()
    .then((opened) => opened.get('drafts', [who, occurrence]))
    .catch((reason) => {
      release?.()
      throw reason
    })
  if (before) void readDrafts()
  let pendingPart: DraftPart | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()
  /** How many writes were begun. */
  let writeCount = 0
  /** The answers are in an entry now: kept as a draft as well, they would be sent twice. */
  let isSent = false

  /** Writes the answers. If that fails, they are written later; nothing newer is replaced by them. */
  async function put(part: DraftPart): Promise<void> {
    // Somebody who signs out has been asked, and their drafts are removed.
    if (currentPerson.value?.who !== who) return
    const number = ++writeCount
    try {
      const draft = { who, occurrence, ...part, keptAt: new Date().toISOString() }
      const transaction = (await database()).transaction('drafts', 'readwrite', STRICT)
      const put = transaction.store.put(draft)
      // It ends even if the page is left now.
      transaction.commit()
      await Promise.all([put, transaction.done])
      if (number === writeCount) await sealedStore.now?.draft(draft)
    } catch (cause) {
      // What the server said can be read again; answers cannot.
      if (isQuotaExceeded(cause)) await dropCopies(who).catch(() => undefined)
      if (number !== writeCount) return
      pendingPart ??= part
      timer ??= setTimeout(() => void write(), RETRY_DELAY)
      return
    }
    requestPersistence()
    await notifyDraftsChanged()
  }

  function write(isLeaving = false): Promise<unknown> {
    clearTimeout(timer)
    timer = undefined
    const part = pendingPart
    pendingPart = undefined
    if (!part || !release) return lastWrite
    const now: Promise<unknown> = isLeaving ? Promise.all([lastWrite, put(part)]) : lastWrite.then(() => put(part))
    lastWrite = now
    writes.add(now)
    void now.finally(() => writes.delete(now)).catch(() => undefined)
    return now
  }
  // A page that is left does not learn when the previous write has ended.
  const onPageHide = () => void write(true)
  const onVisibilityChange = () => {
    if (document.hidden) onPageHide()
  }
  addEventListener('pagehide', onPageHide)
  document.addEventListener('visibilitychange', onVisibilityChange)

  return {
    kept: before,
    isReadOnly: !release,
    keep(part) {
      if (isSent) return
      pendingPart = part
      timer ??= setTimeout(() => void write(), WRITE_DELAY)
    },
    async keepFile(bytes, chosenName) {
      // A person who signed in meanwhile does not keep a file of somebody else.
      if (currentPerson.value?.who !== who) throw new Error('The person is not signed in any more.')
      const [id, name] = [newId(), chosenName.toWellFormed()]
      const put = async () => {
        const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
        const put = transaction.store.put({ id, who, draft: occurrence, bytes, name })
        transaction.commit()
        await Promise.all([put, transaction.done])
      }
      await put().catch(async (cause) => {
        if (!isQuotaExceeded(cause)) throw cause
        await dropCopies(who)
        await put()
      })
      const kept = { blob: id, name, type: bytes.type, size: bytes.size }
      await sealedStore.now?.file(occurrence, kept, bytes).catch(() => undefined)
      return kept
    },
    async fileOf({ blob }) {
      return (await (await database()).get('blobs', blob))?.bytes
    },
    async discard() {
      if (!release) return
      pendingPart = undefined
      await write()
      const transaction = (await database()).transaction(['drafts', 'blobs'], 'readwrite', STRICT)
      await transaction.objectStore('drafts').delete([who, occurrence])
      const own = IDBKeyRange.only([who, occurrence])
      for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate(own)) await cursor.delete()
      await transaction.done
      await sealedStore.now?.forgetDraft(occurrence)
      await notifyDraftsChanged()
    },
    async send(title, { messages }) {
      if (!release) throw new Error('Another tab has this form.')
      if (isSent) throw new Error('The answers were sent already.')
      await write()
      if (pendingPart) await write()
      if (pendingPart) throw new Error('The answers cannot be kept on this device.')
      isSent = true
      const id = await createEntry(who, occurrence, title).catch((reason) => {
        isSent = false
        throw reason
      })
      await keepNotices({ who, entry: id, title }, messages)
      return { ...(await sendEntry(id)), entry: id }
    },
    close() {
      removeEventListener('pagehide', onPageHide)
      document.removeEventListener('visibilitychange', onVisibilityChange)
      void write().finally(() => release?.())
    },
  }
}
