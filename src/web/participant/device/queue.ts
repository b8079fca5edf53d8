/** Sends the entries: in order for each person, each until the server has stored or held it (docs/offline.md). */

import type { EntryProblem, SubmissionResult } from '#web/form/answers/model'
import { problemOf, type Receipt, storedResult, verdictOf } from '#web/form/answers/verdict'
import type { Answer } from '#web/kit/api/send'
import { withLock } from '#web/kit/storage/locks'
import type { QueuedEntry } from './database'
import {
  entriesOf,
  entryById,
  followTabs,
  notifyTabs,
  readQueue,
  removeEntry,
  reopenEntry,
  updateEntry,
} from './entries'
import { followDecisions, handOverRefused } from './handover'
import type { Person } from './model'
import { keepNotices } from './notices'
import { askAs, currentPerson, sessionEnded } from './request'
import { requestSync } from './sync'
import { uploadAnswers } from './uploads'

export { entries, othersWaiting, readQueue } from './entries'

/** Milliseconds that somebody who sends a form waits for the server. */
const SEND_TIMEOUT = 8_000
/** Milliseconds until a request that gets no answer is given up, and sent again. */
const REQUEST_TIMEOUT = 120_000
const [FIRST_PAUSE, LONGEST_PAUSE] = [2_000, 300_000]

/** Callbacks that wait for the result of an entry, by the id of the entry. */
const waiters = new Map<string, Set<(sent: SubmissionResult) => void>>()

function notifyWaiters(id: string, sent: SubmissionResult): void {
  for (const onResult of waiters.get(id) ?? []) onResult(sent)
}

/** Notifies the callbacks that wait for this entry, in every tab. */
function notifyResult(id: string, sent: SubmissionResult): void {
  notifyWaiters(id, sent)
  notifyTabs(id, sent)
}

/** Calls this with each result of an entry, until the returned function is called. */
export function followEntry(id: string, onResult: (sent: SubmissionResult) => void): () => void {
  const all = waiters.get(id) ?? new Set()
  waiters.set(id, all.add(onResult))
  return () => {
    all.delete(onResult)
    if (!all.size) waiters.delete(id)
  }
}

/** Sends an entry that was made just now, and waits a while for what becomes of it. */
export function sendEntry(id: string): Promise<SubmissionResult> {
  let end = () => {}
  const sent = new Promise<SubmissionResult>((resolve) => {
    end = followEntry(id, resolve)
    setTimeout(() => resolve({ kind: 'waiting' }), SEND_TIMEOUT)
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

/** Stores until when the server asked for no further requests. */
function applyRetryDelay({ wait }: { wait?: number }): void {
  if (wait !== undefined) notBefore = Math.max(notBefore, Date.now() + Math.min(wait, LONGEST_WAIT))
}

let timer: ReturnType<typeof setTimeout> | undefined
let isSending = false
let isSendRequested = false

/** Lets the service worker send what waits, if the page is closed by then. Not before the time that the server has set. */
function sendWithoutPage(): void {
  const isWaiting = entriesOf(currentPerson.value?.who).some(({ state }) => state === 'waiting')
  if (isWaiting && notBefore < Date.now()) void requestSync().catch(() => undefined)
}

/**
 * Sends what waits, once, as the service worker does. @param readSession reads who is signed in, since a page may change it meanwhile
 * @returns `later` if there is something left for which there was no connection
 */
export const sendOnce = async (readSession: () => Promise<void>): Promise<'done' | 'later' | 'stopped'> =>
  notBefore < Date.now() ? withLock('queue', () => sendAll(readSession)) : 'later'

/** Sends what waits, if there is a connection and a session. Calls that come meanwhile are served afterwards. */
export function sendNow(): void {
  clearTimeout(timer)
  isSendRequested = isSending
  if (isSending) return
  const early = notBefore - Date.now()
  if (early > 0) {
    timer = setTimeout(sendNow, early + Math.random() * FIRST_PAUSE)
    return
  }
  isSending = true
  void withLock('queue', () => sendAll())
    .catch(() => 'later' as const)
    .then((outcome) => {
      isSending = false
      if (outcome === 'later') {
        timer = setTimeout(sendNow, pause * (0.75 + Math.random() / 2))
        pause = Math.min(2 * pause, LONGEST_PAUSE)
      } else if (isSendRequested) sendNow()
    })
}

async function sendAll(readSession?: () => Promise<void>): Promise<'done' | 'later' | 'stopped'> {
  for (;;) {
    isSendRequested = false
    await readSession?.()
    await readQueue()
    const person = currentPerson.value
    if (!person || sessionEnded.value) return 'stopped'
    const next = entriesOf(person.who).find(({ state }) => state === 'waiting')
    if (!next) return (await handleRefused(person)) ? 'done' : 'later'
    if (!(await send(next, person))) {
      await updateEntry(next, { tries: next.tries + 1 })
      notifyResult(next.id, { kind: 'waiting' })
      return sessionEnded.value ? 'stopped' : 'later'
    }
    pause = FIRST_PAUSE
  }
}

/** Hands over what was refused, and looks what became of what was handed over. */
async function handleRefused(person: Person): Promise<boolean> {
  await followDecisions(person)
  return (await handOverRefused(person)) || sessionEnded.value
}

/** Sends one entry. It leaves the queue only when the server has stored it. Returns whether the server has decided. */
async function send(entry: QueuedEntry, person: Person): Promise<boolean> {
  const body = await uploadAnswers(entry, person)
  // The service worker has no texts, and leaves it to a page.
  if ('problem' in body) return body.problem.message !== '' && markRefused(entry, body.problem)
  if ('isDone' in body) return applyAnswer(entry, body)
  const query = new URLSearchParams({ opened: entry.opened, version: entry.version })
  const path = `/participants/trials/${person.trial}/stages/${encodeURIComponent(entry.occurrence)}/responses?${query}`
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT)
  const sent = { body: body.answers, idempotencyKey: entry.id, as: person, signal }
  return applyAnswer(entry, await askAs<Receipt>('POST', path, sent))
}

async function applyAnswer(entry: QueuedEntry, answer: Answer<Receipt>): Promise<boolean> {
  const verdict = answer.isDone ? 'stored' : verdictOf(answer)
  if (verdict === 'later') {
    if (!answer.isDone) applyRetryDelay(answer)
    return false
  }
  if (!answer.isDone && verdict === 'refused') return markRefused(entry, problemOf(answer))
  const sent = storedResult(answer.isDone ? answer.body : {})
  // First of all: an entry that is still there is sent again, and gets the same answer.
  await keepNotices({ who: entry.who, entry: entry.id, title: entry.title }, sent.messages)
  await removeEntry(entry)
  notifyResult(entry.id, sent)
  return true
}

async function markRefused(entry: QueuedEntry, problem: EntryProblem): Promise<true> {
  await updateEntry(entry, { state: 'refused', problem })
  notifyResult(entry.id, { kind: 'refused', problem })
  return true
}

/** Makes a draft of a refused entry again, to be mended and sent under a new id. */
export const reopen = (id: string): Promise<void> => reopenEntry(id)

/** Removes an entry for good. Only the person does this, never the app; and not while it may be under way. */
export async function discard(id: string): Promise<void> {
  const entry = entryById(id)
  if (entry) await removeEntry(entry, true)
}

/** Begins to send whenever there may be a connection. Call it once. */
export function watchQueue(): void {
  const again = () => {
    if (document.hidden) sendWithoutPage()
    else sendNow()
  }
  followTabs(notifyWaiters)
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
  currentPerson.subscribe(again)
  sessionEnded.subscribe(again)
}
