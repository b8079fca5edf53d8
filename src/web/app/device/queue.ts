/** Sends the entries: in order for each person, each until the server has stored or held it (docs/offline.md). */
import type { Answer } from '#web/common/api'
import type { QueuedEntry } from './database'
import { change, entriesOf, entryWith, followTabs, readQueue, remove, reopened, tell } from './entries'
import { followDecisions, handOverRefused } from './handover'
import { exclusively } from './locks'
import type { EntryProblem, Person, Sent } from './model'
import { keepNotices } from './notices'
import { askAs, personNow, sessionEnded } from './request'
import { askForSync } from './sync'
import { uploaded } from './uploads'
import { problemOf, type Receipt, storedWith, verdictOf } from './verdict'

export { entries, othersWaiting, readQueue } from './entries'

/** Milliseconds that somebody who sends a form waits for the server. */
const PATIENCE = 8_000
/** Milliseconds until a request that gets no answer is given up, and sent again. */
const NO_ANSWER = 120_000
const [FIRST_PAUSE, LONGEST_PAUSE] = [2_000, 300_000]

/** Who waits for what becomes of an entry, by its id. */
const waiters = new Map<string, Set<(sent: Sent) => void>>()

function inform(id: string, sent: Sent): void {
  for (const hear of waiters.get(id) ?? []) hear(sent)
}

/** Says what became of an entry to whoever waits for it, in any tab. */
function say(id: string, sent: Sent): void {
  inform(id, sent)
  tell(id, sent)
}

/** Hears each time what became of an entry, until the returned function is called. */
export function followEntry(id: string, hear: (sent: Sent) => void): () => void {
  const all = waiters.get(id) ?? new Set()
  waiters.set(id, all.add(hear))
  return () => {
    all.delete(hear)
    if (!all.size) waiters.delete(id)
  }
}

/** Sends an entry that was made just now, and waits a while for what becomes of it. */
export function sendEntry(id: string): Promise<Sent> {
  let end = () => {}
  const sent = new Promise<Sent>((resolve) => {
    end = followEntry(id, resolve)
    setTimeout(() => resolve({ kind: 'waiting' }), PATIENCE)
  }).finally(() => end())
  sendNow()
  sendWithoutPage()
  return sent
}

let pause = FIRST_PAUSE
/** No request before this moment: the server has asked for it. Without it, a whole ward would come back at once. */
let notBefore = 0
/** The longest time that is waited for because of one answer. */
const LONGEST_WAIT = 3_600_000

/** Notes for how long the server wants to hear nothing. */
function obey({ wait }: { wait?: number }): void {
  if (wait !== undefined) notBefore = Math.max(notBefore, Date.now() + Math.min(wait, LONGEST_WAIT))
}

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
let isAskedAgain = false

/** Lets the service worker send what waits, if the page is gone by then. Not before the server wants to hear of it. */
function sendWithoutPage(): void {
  const isWaiting = entriesOf(personNow.value?.who).some(({ state }) => state === 'waiting')
  if (isWaiting && notBefore < Date.now()) void askForSync().catch(() => undefined)
}

/**
 * Sends what waits, once, as the service worker does. @param look reads who is signed in: a page may change it meanwhile
 * @returns `later` if there is something left for which there was no connection
 */
export const sendOnce = async (look: () => Promise<void>): Promise<'done' | 'later' | 'stopped'> =>
  notBefore < Date.now() ? exclusively('queue', () => sendAll(look)) : 'later'

/** Sends what waits, if there is a connection and a session. Whoever asks meanwhile is served afterwards. */
export function sendNow(): void {
  clearTimeout(timer)
  isAskedAgain = isSending
  if (isSending) return
  const early = notBefore - Date.now()
  if (early > 0) {
    timer = setTimeout(sendNow, early + Math.random() * FIRST_PAUSE)
    return
  }
  isSending = true
  void exclusively('queue', () => sendAll())
    .catch(() => 'later' as const)
    .then((how) => {
      isSending = false
      if (how === 'later') {
        timer = setTimeout(sendNow, pause * (0.75 + Math.random() / 2))
        pause = Math.min(2 * pause, LONGEST_PAUSE)
      } else if (isAskedAgain) sendNow()
    })
}

async function sendAll(look?: () => Promise<void>): Promise<'done' | 'later' | 'stopped'> {
  for (;;) {
    isAskedAgain = false
    await look?.()
    await readQueue()
    const person = personNow.value
    if (!person || sessionEnded.value) return 'stopped'
    const next = entriesOf(person.who).find(({ state }) => state === 'waiting')
    if (!next) return (await lookAfterRefused(person)) ? 'done' : 'later'
    if (!(await send(next, person))) {
      await change(next, { tries: next.tries + 1 })
      say(next.id, { kind: 'waiting' })
      return sessionEnded.value ? 'stopped' : 'later'
    }
    pause = FIRST_PAUSE
  }
}

/** Hands over what was refused, and looks what became of what was handed over. */
async function lookAfterRefused(person: Person): Promise<boolean> {
  await followDecisions(person)
  return (await handOverRefused(person)) || sessionEnded.value
}

/** Sends one entry. It leaves the queue only when the server has stored it. Returns whether the server has decided. */
async function send(entry: QueuedEntry, person: Person): Promise<boolean> {
  const body = await uploaded(entry, person)
  // The service worker has no words for it, and leaves it to a page.
  if ('problem' in body) return body.problem.message !== '' && refused(entry, body.problem)
  if ('isDone' in body) return settle(entry, body)
  const query = new URLSearchParams({ opened: entry.opened, version: entry.version })
  const path = `/participants/trials/${person.trial}/stages/${encodeURIComponent(entry.occurrence)}/responses?${query}`
  const signal = AbortSignal.timeout(NO_ANSWER)
  const sent = { body: body.answers, idempotencyKey: entry.id, as: person, signal }
  return settle(entry, await askAs<Receipt>('POST', path, sent))
}

async function settle(entry: QueuedEntry, answer: Answer<Receipt>): Promise<boolean> {
  const verdict = answer.isDone ? 'stored' : verdictOf(answer)
  if (verdict === 'later') {
    if (!answer.isDone) obey(answer)
    return false
  }
  if (!answer.isDone && verdict === 'refused') return refused(entry, problemOf(answer))
  const sent = storedWith(answer.isDone ? answer.body : {})
  // First of all: an entry that is still there is sent again, and gets the same answer.
  await keepNotices({ who: entry.who, entry: entry.id, title: entry.title }, sent.messages)
  await remove(entry)
  say(entry.id, sent)
  return true
}

async function refused(entry: QueuedEntry, problem: EntryProblem): Promise<true> {
  await change(entry, { state: 'refused', problem })
  say(entry.id, { kind: 'refused', problem })
  return true
}

/** Makes a draft of a refused entry again, to be mended and sent under a new id. */
export const reopen = (id: string): Promise<void> => reopened(id)

/** Removes an entry for good. Only the person does this, never the app; and not while it may be under way. */
export async function discard(id: string): Promise<void> {
  const entry = entryWith(id)
  if (entry) await remove(entry, true)
}

/** Begins to send whenever there may be a connection. Call it once. */
export function watchQueue(): void {
  const again = () => {
    if (document.hidden) sendWithoutPage()
    else sendNow()
  }
  followTabs(inform)
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
  personNow.subscribe(again)
  sessionEnded.subscribe(again)
}
