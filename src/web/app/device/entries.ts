/** The entries as they are kept on the device, and as every tab sees them. Nothing is sent here (docs/offline.md). */
import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import { database, type QueuedEntry, readable, STRICT } from './database'
import { draftsChanged } from './draftList'
import { newId } from './ids'
import { draftLock, lockOf } from './locks'
import type { Draft, Entry, Sent } from './model'
import { personNow } from './request'
import { sealing } from './tablet'
import { channelOf } from './tabs'

const all = signal<readonly QueuedEntry[]>([])

/** What of the person who is signed in is not at the server yet, or was refused. */
export const entries: ReadonlySignal<readonly Entry[]> = computed(() => entriesOf(personNow.value?.who))

/** The entries of a person, in the order of sending. */
export const entriesOf = (who: string | undefined): readonly QueuedEntry[] =>
  all.value.filter((entry) => entry.who === who)

/** How many entries of other people wait on this device. They are sent when those sign in. */
export const othersWaiting: ReadonlySignal<number> = computed(
  () => all.value.filter(({ who, state }) => who !== personNow.value?.who && state === 'waiting').length,
)

/** Whether a record can be sent. One that is damaged stays on the device, and the others are sent. */
const isWhole = (entry: Partial<QueuedEntry>): entry is QueuedEntry =>
  [entry.id, entry.who, entry.occurrence].every((text) => typeof text === 'string') &&
  typeof entry.number === 'number' &&
  typeof entry.answers === 'object' &&
  entry.answers !== null

/** Reads the queue again, as another tab may have changed it. */
export async function readQueue(): Promise<void> {
  all.value = (await readable('queue')).filter(isWhole)
}

/** What tabs tell each other: the queue has changed, and what became of an entry. */
type News = { id?: string; sent?: Sent }

const channel = channelOf<News>('queue')

/** Reads the queue again, and lets other tabs do so. */
async function changed(): Promise<void> {
  channel.tell({})
  await readQueue()
}

/** Tells other tabs what became of an entry that was made in one of them. */
export const tell = (id: string, sent: Sent): void => channel.tell({ id, sent })

/** Follows what other tabs do. Call it once. */
export function followTabs(heard: (id: string, sent: Sent) => void): void {
  channel.follow(({ id, sent }) => {
    void readQueue().catch(() => undefined)
    if (id !== undefined && sent) heard(id, sent)
  })
}

/** Turns the draft of an occurrence into an entry, both or neither. Returns its id. */
export async function entryOfDraft(who: string, occurrence: string, title: string): Promise<string> {
  const id = newId()
  const begun = sealing.now && (await (await database()).get('drafts', [who, occurrence]))
  if (begun) await sealing.now?.entry(id, begun)
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
  await Promise.all([changed(), draftsChanged()])
  return id
}

/** Changes an entry, if it is still there. */
export async function change({ number }: QueuedEntry, what: Partial<Entry>): Promise<void> {
  const transaction = (await database()).transaction('queue', 'readwrite', STRICT)
  const now = await transaction.store.get(number)
  if (now) await transaction.store.put({ ...now, ...what })
  await transaction.done
  await changed()
}

/** Removes an entry with its files: the server has it, or the person wants it. Unless it waits, for `isDecided`. */
export async function remove({ id, number }: QueuedEntry, isDecided = false): Promise<void> {
  const transaction = (await database()).transaction(['queue', 'blobs'], 'readwrite', STRICT)
  const now = await transaction.objectStore('queue').get(number)
  if (now && !(isDecided && now.state === 'waiting')) {
    await transaction.objectStore('queue').delete(number)
    for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) await cursor.delete()
  }
  await transaction.done
  if (!(isDecided && now?.state === 'waiting')) await sealing.now?.forgetEntry(id)
  await changed()
}

/** The entry with this id. */
export const entryWith = (id: string): QueuedEntry | undefined => all.value.find((each) => each.id === id)

/**
 * Makes a draft of an entry again, to be mended and sent under a new id. An entry that waits may be under way, so it stays. If there
 * is a newer draft of the same form, its answers go before those of the entry. While another tab has the form, nothing changes.
 */
export async function reopened(id: string): Promise<void> {
  const entry = entryWith(id)
  if (!entry) return
  const { who, occurrence, number } = entry
  const release = await lockOf(draftLock(who, occurrence), true)
  if (!release) return
  let reopenedAs: Draft | undefined
  try {
    const transaction = (await database()).transaction(['drafts', 'queue', 'blobs'], 'readwrite', STRICT)
    const [queue, drafts] = [transaction.objectStore('queue'), transaction.objectStore('drafts')]
    const now = await queue.get(number)
    // Whoever has signed out meanwhile keeps no drafts.
    if (now && now.state !== 'waiting' && personNow.value?.who === who) {
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
      await sealing.now?.draft(reopenedAs)
      await sealing.now?.forgetEntry(id)
    }
  } finally {
    release()
  }
  await Promise.all([changed(), draftsChanged()])
}
