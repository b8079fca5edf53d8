/** Answers on their way to the server: in order for each person, each until the server has stored or held it (docs/offline.md). */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { database, type QueuedEntry, STRICT } from './database'
import type { Entry, Sent } from './model'
import { personNow, sessionEnded } from './request'
import { deliver, handOverEntry, readDecisions } from './sending'

const all = signal<readonly QueuedEntry[]>([])

/** What of the person who is signed in is not at the server yet, or was refused. */
export const entries: ReadonlySignal<readonly Entry[]> = computed(() =>
  all.value.filter(({ who }) => who === personNow.value?.who),
)

/** How many entries of other people wait on this device. They are sent when those sign in. */
export const othersWaiting: ReadonlySignal<number> = computed(
  () => all.value.filter(({ who, state }) => who !== personNow.value?.who && state === 'waiting').length,
)

/** Milliseconds that somebody who sends a form waits for the server. */
const PATIENCE = 8_000
const [FIRST_PAUSE, LONGEST_PAUSE] = [2_000, 300_000]
/** Milliseconds after which a tab looks again, while another one sends. */
const ELSEWHERE = 1_000

/** Who waits for what becomes of an entry, by its id. */
const waiters = new Map<string, (sent: Sent) => void>()

/** Tells the other tabs that the queue has changed. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('trialbox queue') : undefined

/** Reads the queue again, as this tab or another one has changed it. */
export async function readQueue(): Promise<void> {
  all.value = (await (await database()).getAll('queue')) as QueuedEntry[]
  for (const [id, settled] of waiters) {
    const entry = entryWith(id)
    // Another tab has sent it: what the server said, only that one knows.
    if (!entry) settled({ kind: 'stored', postSubmissionText: null, messages: [] })
    else if (entry.state !== 'waiting' && entry.problem) settled({ kind: 'refused', problem: entry.problem })
  }
}

async function changed(): Promise<void> {
  await readQueue()
  channel?.postMessage('changed')
}

const entryWith = (id: string): QueuedEntry | undefined => all.value.find((each) => each.id === id)

/** Turns the draft of an occurrence into an entry, both or neither, and sends it. */
export async function enqueue(who: string, occurrence: string, title: string): Promise<Sent> {
  const transaction = (await database()).transaction(['drafts', 'queue', 'blobs'], 'readwrite', STRICT)
  const drafts = transaction.objectStore('drafts')
  const draft = await drafts.get([who, occurrence])
  if (!draft) throw new Error('There is no draft to send.')
  const id = crypto.randomUUID()
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
  await changed()
  const sent = new Promise<Sent>((resolve) => {
    waiters.set(id, resolve)
    setTimeout(() => resolve({ kind: 'waiting' }), PATIENCE)
  }).finally(() => waiters.delete(id))
  sendNow()
  return sent
}

let pause = FIRST_PAUSE
let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
let isAskedAgain = false

type How = 'done' | 'later' | 'stopped' | 'elsewhere'

/** Sends what waits, if there is a connection and a session. Whoever asks while it sends is heard after it. */
export function sendNow(): void {
  clearTimeout(timer)
  isAskedAgain = isSending
  if (isSending) return
  isSending = true
  void exclusively(sendAll)
    .catch((): How => 'later')
    .then((how) => {
      isSending = false
      if (isAskedAgain) {
        isAskedAgain = false
        timer = setTimeout(sendNow, how === 'later' ? pause : 0)
      } else if (how === 'elsewhere') timer = setTimeout(() => void readQueue().then(sendNow), ELSEWHERE)
      else if (how === 'later') {
        timer = setTimeout(sendNow, pause * (0.75 + Math.random() / 2))
        pause = Math.min(2 * pause, LONGEST_PAUSE)
      }
    })
}

/** One tab sends at a time; the others need not wait. */
const exclusively = (act: () => Promise<How>): Promise<How> =>
  navigator.locks
    ? navigator.locks.request('queue', { ifAvailable: true }, (lock) => (lock ? act() : ('elsewhere' as const)))
    : act()

async function sendAll(): Promise<How> {
  for (;;) {
    await readQueue()
    const person = personNow.value
    if (!person || sessionEnded.value) return 'stopped'
    const own = all.value.filter(({ who }) => who === person.who)
    const next = own.find(({ state }) => state === 'waiting')
    if (!next) {
      await settleOthers(own)
      return 'done'
    }
    const became = await deliver(next, person)
    if (became.kind === 'later') {
      await change(next, { tries: next.tries + 1 })
      waiters.get(next.id)?.({ kind: 'waiting' })
      return sessionEnded.value ? 'stopped' : 'later'
    }
    pause = FIRST_PAUSE
    // Before the queue is read again, which would say less of it.
    waiters.get(next.id)?.(became)
    waiters.delete(next.id)
    if (became.kind === 'stored') await remove(next)
    else await change(next, { state: 'refused', problem: became.problem })
  }
}

/** Gives the team what nobody can mend, and forgets what the team has decided about. */
async function settleOthers(own: readonly QueuedEntry[]): Promise<void> {
  for (const entry of own) {
    const isMendable = Object.keys(entry.problem?.fields ?? {}).length > 0
    if (entry.state === 'refused' && !isMendable) await handOver(entry.id)
  }
  const held = own.filter(({ state }) => state === 'held')
  if (!held.length) return
  const decided = await readDecisions()
  for (const entry of held) if (decided.has(entry.id)) await remove(entry)
}

/** Gives a refused entry to the study team, who decide about it. Without a connection it is given later. */
export async function handOver(id: string): Promise<void> {
  const [entry, person] = [entryWith(id), personNow.value]
  if (entry?.state !== 'refused' || person?.who !== entry.who) return
  if (await handOverEntry(entry, person)) await change(entry, { state: 'held' })
}

async function change(entry: QueuedEntry, what: Partial<Entry>): Promise<void> {
  const transaction = (await database()).transaction('queue', 'readwrite', STRICT)
  const now = await transaction.store.get(entry.number)
  if (now) await transaction.store.put({ ...now, ...what })
  await transaction.done
  await changed()
}

/** Removes an entry with its files. */
async function remove({ id, number }: QueuedEntry): Promise<void> {
  const transaction = (await database()).transaction(['queue', 'blobs'], 'readwrite', STRICT)
  await transaction.objectStore('queue').delete(number)
  for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) await cursor.delete()
  await transaction.done
  await changed()
}

/**
 * Makes a draft of a refused entry again, to be mended and sent under a new id. Answers of a draft that was begun meanwhile are
 * newer: they stay.
 */
export async function reopen(id: string): Promise<void> {
  const entry = entryWith(id)
  if (entry?.state !== 'refused') return
  const { who, occurrence, version, opened, answers, number } = entry
  const transaction = (await database()).transaction(['drafts', 'queue', 'blobs'], 'readwrite', STRICT)
  const drafts = transaction.objectStore('drafts')
  const newer = await drafts.get([who, occurrence])
  const before = { who, occurrence, version, opened, screen: 0 }
  const keptAt = new Date().toISOString()
  await drafts.put({ ...before, ...newer, answers: { ...answers, ...newer?.answers }, keptAt })
  await transaction.objectStore('queue').delete(number)
  for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) {
    const { entry: _, ...blob } = cursor.value
    await cursor.update({ ...blob, draft: occurrence })
  }
  await transaction.done
  await changed()
}

/** Removes an entry for good. Only the person does this, never the app. */
export async function discard(id: string): Promise<void> {
  const entry = entryWith(id)
  if (entry) await remove(entry)
}

/** An entry as a file that staff can read. Files of answers are not in it. */
export async function saveCopy(id: string): Promise<Blob> {
  const { number: _, ...entry } = entryWith(id) ?? {}
  return new Blob([JSON.stringify({ format: 'trialbox-entry', version: 1, entry }, null, 2)], {
    type: 'application/json',
  })
}

/** Begins to send whenever there may be a connection. Call it once. */
export function watchQueue(): void {
  const again = () => {
    if (!document.hidden) sendNow()
  }
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
  personNow.subscribe(again)
  sessionEnded.subscribe(again)
  channel?.addEventListener('message', () => void readQueue())
}
