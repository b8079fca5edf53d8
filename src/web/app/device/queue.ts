/** Answers on their way to the server: in order for each person, each until the server has stored or held it (docs/offline.md). */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Answer } from '#web/common/api'
import { database, type QueuedEntry, STRICT } from './database'
import type { Entry, EntryProblem, Sent } from './model'
import { askAs, personNow, sessionEnded } from './request'
import { uploaded } from './uploads'

const all = signal<readonly QueuedEntry[]>([])

/** What of the person who is signed in is not at the server yet, or was refused. */
export const entries: ReadonlySignal<readonly Entry[]> = computed(() =>
  all.value.filter(({ who }) => who === personNow.value?.who),
)

/** How many entries of other people wait on this device. They are sent when those sign in. */
export const othersWaiting: ReadonlySignal<number> = computed(
  () => all.value.filter(({ who, state }) => who !== personNow.value?.who && state === 'waiting').length,
)

/** Reads the queue again, as another tab may have changed it. */
export async function readQueue(): Promise<void> {
  all.value = (await (await database()).getAll('queue')) as QueuedEntry[]
}

/** Milliseconds that somebody who sends a form waits for the server. */
const PATIENCE = 8_000
const [FIRST_PAUSE, LONGEST_PAUSE] = [2_000, 300_000]

/** Who waits for what becomes of an entry, by its id. */
const waiters = new Map<string, (sent: Sent) => void>()

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
  await readQueue()
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

/** Sends what waits, if there is a connection and a session. */
export function sendNow(): void {
  clearTimeout(timer)
  if (isSending) return
  isSending = true
  void exclusively(sendAll)
    .catch(() => 'later' as const)
    .then((how) => {
      isSending = false
      if (how === 'done') pause = FIRST_PAUSE
      else if (how === 'later') {
        timer = setTimeout(sendNow, pause * (0.75 + Math.random() / 2))
        pause = Math.min(2 * pause, LONGEST_PAUSE)
      }
    })
}

/** One tab sends at a time; the others need not wait. */
const exclusively = <T>(act: () => Promise<T>): Promise<T | 'elsewhere'> =>
  navigator.locks
    ? navigator.locks.request('queue', { ifAvailable: true }, (lock) => (lock ? act() : ('elsewhere' as const)))
    : act()

async function sendAll(): Promise<'done' | 'later' | 'stopped'> {
  for (;;) {
    await readQueue()
    const person = personNow.value
    if (!person || sessionEnded.value) return 'stopped'
    const next = all.value.find(({ who, state }) => who === person.who && state === 'waiting')
    if (!next) return 'done'
    const answer = await send(next)
    if (answer === 'later') {
      await change(next, { tries: next.tries + 1 })
      waiters.get(next.id)?.({ kind: 'waiting' })
      return sessionEnded.value ? 'stopped' : 'later'
    }
  }
}

type Stored = { postSubmissionText?: string | null; onScreenMessages?: readonly string[] }

/** Sends one entry. It leaves the queue only when the server has stored it. */
async function send(entry: QueuedEntry): Promise<'sent' | 'refused' | 'later'> {
  const person = personNow.value
  if (!person) return 'later'
  const body = await uploaded(entry)
  if ('isDone' in body) return settle(entry, body)
  const query = new URLSearchParams({ opened: entry.opened, version: entry.version })
  const path = `/participants/trials/${person.trial}/stages/${encodeURIComponent(entry.occurrence)}/responses?${query}`
  return settle(entry, await askAs<Stored>('POST', path, { body: body.answers, idempotencyKey: entry.id, as: person }))
}

const isForLater = (status: number) =>
  status === 0 || status === 401 || status === 408 || status === 429 || status >= 500

async function settle(entry: QueuedEntry, answer: Answer<Stored>): Promise<'sent' | 'refused' | 'later'> {
  if (answer.isDone) {
    await remove(entry)
    const { postSubmissionText = null, onScreenMessages: messages = [] } = answer.body
    waiters.get(entry.id)?.({ kind: 'stored', postSubmissionText, messages })
    return 'sent'
  }
  if (isForLater(answer.status)) return 'later'
  const problem = problemOf(answer)
  await change(entry, { state: 'refused', problem })
  waiters.get(entry.id)?.({ kind: 'refused', problem })
  return 'refused'
}

function problemOf({ status, message, details }: Extract<Answer<never>, { isDone: false }>): EntryProblem {
  const { code, problems } = details
  return {
    status,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    fields: (problems ?? {}) as EntryProblem['fields'],
  }
}

async function change(entry: QueuedEntry, what: Partial<Entry>): Promise<void> {
  const transaction = (await database()).transaction('queue', 'readwrite', STRICT)
  const now = await transaction.store.get(entry.number)
  if (now) await transaction.store.put({ ...now, ...what })
  await transaction.done
  await readQueue()
}

/** Removes an entry with its files. */
async function remove({ id, number }: QueuedEntry): Promise<void> {
  const transaction = (await database()).transaction(['queue', 'blobs'], 'readwrite', STRICT)
  await transaction.objectStore('queue').delete(number)
  for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) await cursor.delete()
  await transaction.done
  await readQueue()
}

const entryWith = (id: string): QueuedEntry | undefined => all.value.find((each) => each.id === id)

/** Makes a draft of an entry again, to be mended and sent under a new id. A draft of the same form is replaced. */
export async function reopen(id: string): Promise<void> {
  const entry = entryWith(id)
  if (!entry) return
  const { who, occurrence, version, opened, answers, number } = entry
  const transaction = (await database()).transaction(['drafts', 'queue', 'blobs'], 'readwrite', STRICT)
  const keptAt = new Date().toISOString()
  await transaction.objectStore('drafts').put({ who, occurrence, version, opened, answers, screen: 0, keptAt })
  await transaction.objectStore('queue').delete(number)
  for await (const cursor of transaction.objectStore('blobs').index('byEntry').iterate(id)) {
    const { entry: _, ...blob } = cursor.value
    await cursor.update({ ...blob, draft: occurrence })
  }
  await transaction.done
  await readQueue()
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
}
