/** The entries as they are kept on the device, and as every tab sees them. Nothing is sent here (docs/offline.md). */
import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { SubmissionResult } from '#web/form/answers/model'
import { newId } from '#web/kit/storage/ids'
import { acquireLock, draftLock } from '#web/kit/storage/locks'
import { database, type QueuedEntry, readRecords, STRICT } from './database'
import { notifyDraftsChanged } from './draftList'
import type { Draft, Entry } from './model'
import { currentPerson } from './request'
import { sealedStore } from './tablet'
import { channelOf } from './tabs'

const all = signal<readonly QueuedEntry[]>([])

/** What of the person who is signed in is not at the server yet, or was refused. */
export const entries: ReadonlySignal<readonly Entry[]> = computed(() => entriesOf(currentPerson.value?.who))

/** The entries of a person, in the order of sending. */
export const entriesOf = (who: string | undefined): readonly QueuedEntry[] =>
  all.value.filter((entry) => entry.who === who)

/** How many entries of other people wait on this device. They are sent when those sign in. */
export const othersWaiting: ReadonlySignal<number> = computed(
  () => all.value.filter(({ who, state }) => who !== currentPerson.value?.who && state === 'waiting').length,
)

/** Whether a record can be sent. One that is damaged stays on the device, and the others are sent. */
const isComplete = (entry: Partial<QueuedEntry>): entry is QueuedEntry =>
  [entry.id, entry.who, entry.occurrence].every((text) => typeof text === 'string') &&
  typeof entry.number === 'number' &&
  typeof entry.answers === 'object' &&
  entry.answers !== null

/** Reads the queue again, as another tab may have changed it. */
export async function readQueue(): Promise<void> {
  all.value = (await readRecords('queue')).filter(isComplete)
}

/** Messages between tabs: the queue has changed, or an entry has a result. */
type TabMessage = { id?: string; sent?: SubmissionResult }

const channel = channelOf<TabMessage>('queue')

/** Reads the queue again, and lets other tabs do so. */
async function notifyQueueChanged(): Promise<void> {
  channel.post({})
  await readQueue()
}

/** Notifies other tabs of the result of an entry that was created in one of them. */
export const notifyTabs = (id: string, sent: SubmissionResult): void => channel.post({ id, sent })

/** Follows what other tabs do. Call it once. */
export function followTabs(onEntryResult: (id: string, sent: SubmissionResult) => void): void {
  channel.onMessage(({ id, sent }) => {
    void readQueue().catch(() => undefined)
    if (id !== undefined && sent) onEntryResult(id, sent)
  })
}

/** Turns the draft of an occurrence into an entry, both or neither. Returns its id. */
export async function createEntry(who: string, occurrence: string, title: string): Promise<string> {
  const id = newId()
  const begun = sealedStore.now && (await (await database()).get('drafts', [who, occurrence]))
  if (begun) await sealedStore.now?.entry(id, begun)
  const transaction = (await database()).transaction(['drafts', 'queue', 'blobs'], 'readwrite', STRICT)
  const drafts = transaction.objectStore('drafts')
  const draft = await drafts.get([who, occurrence])
  if (!draft) throw new Error('There is no draft to send.')
  const { version, opened, answers } = draft
  await transaction.objectStore('queue').add({
    ...{ id, who, occurrence, title, version, opened, answers },
    ...{ state: 'waiting' as const, tries: 0, madeAt: new Date().toISOString() },
  })
  const own = IDBKeyRange.only([who, occurrence])
  for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate(own)) {
    const { draft: _, ...blob } = cursor.value
    await cursor.update({ ...blob, entry: id })
  }
  await drafts.delete([who, occurrence])
  await transaction.done
  await Promise.all([notifyQueueChanged(), notifyDraftsChanged()])
  return id
}

/** Changes an entry, if it is still there. */
export async function updateEntry({ number }: QueuedEntry, changes: Partial<Entry>): Promise<void> {
  const transaction = (await database()).transaction('queue', 'readwrite', STRICT)
  const now = await transaction.store.get(number)
  if (now) await transaction.store.put({ ...now, ...changes })
  await transaction.done
  await notifyQueueChanged()
}

/** Removes an entry with its files: the server has it, or the person wants it. Unless it waits, for `isDecided`. */
export async function removeEntry({ id, number }: QueuedEntry, isDecided = false): Promise<void> {
  const transaction = (await database()).transaction(['queue', 'blobs'], 'readwrite', STRICT)
  const now = await transaction.objectStore('queue').get(number)
  if (now && !(isDecided && now.state === 'waiting')) {
    await transaction.objectStore('queue').delete(number)
    for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) await cursor.delete()
  }
  await transaction.done
  if (!(isDecided && now?.state === 'waiting')) await sealedStore.now?.forgetEntry(id)
  await notifyQueueChanged()
}

/** The entry with this id. */
export const entryById = (id: string): QueuedEntry | undefined => all.value.find((each) => each.id === id)

/**
 * Makes a draft of an entry again, to be mended and sent under a new id. An entry that waits may be under way, so it stays. If there
 * is a newer draft of the same form, its answers go before those of the entry. While another tab has the form, nothing changes.
 */
export async function reopenEntry(id: string): Promise<void> {
  const entry = entryById(id)
  if (!entry) return
  const { who, occurrence, number } = entry
  const release = await acquireLock(draftLock(who, occurrence), true)
  if (!release) return
  let reopenedAs: Draft | undefined
  try {
    const transaction = (await database()).transaction(['drafts', 'queue', 'blobs'], 'readwrite', STRICT)
    const [queue, drafts] = [transaction.objectStore('queue'), transaction.objectStore('drafts')]
    const now = await queue.get(number)
    // A person who has signed out meanwhile keeps no drafts.
    if (now && now.state !== 'waiting' && currentPerson.value?.who === who) {
      const newer = await drafts.get([who, occurrence])
      const { version } = newer ?? now
      // The proof of the entry is the older one, and covers the answers of both.
      const { opened } = now
      const answers = { ...now.answers, ...newer?.answers }
      const keptAt = new Date().toISOString()
      const draft = { who, occurrence, version, opened, answers, screen: 0, keptAt }
      await drafts.put(draft)
      reopenedAs = draft
      await queue.delete(number)
      for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) {
        const { entry: _, ...blob } = cursor.value
        await cursor.update({ ...blob, draft: occurrence })
      }
    }
    await transaction.done
    if (reopenedAs) {
      await sealedStore.now?.draft(reopenedAs)
      await sealedStore.now?.forgetEntry(id)
    }
  } finally {
    release()
  }
  await Promise.all([notifyQueueChanged(), notifyDraftsChanged()])
}
