/**
 * Answers on their way to the server. They are kept on the device only until the server has decided, so that a lost connection
 * or a closed page loses no answer; each entry has an id, with which it is stored once.
 */

import {
  type EntryProblem,
  isKeptFile,
  type KeptAnswer,
  OF_LINKS,
  type SubmissionResult,
} from '#web/form/answers/model'
import { problemOf, type Receipt, storedResult, verdictOf } from '#web/form/answers/verdict'
import { ask } from '#web/kit/api/send'
import { newId } from '#web/kit/storage/ids'
import { withLock } from '#web/kit/storage/locks'
import { isTablet } from '#web/kit/storage/smallStorage'
import type { Translator } from '#web/links/texts'

export type Answers = Readonly<Record<string, KeptAnswer>>
export type Entry = { id: string; path: string; body: unknown; answers: Answers }

/** A link has a place of its own: the token is in its path. */
const key = (): string => OF_LINKS + location.pathname

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'id' in value && 'path' in value && 'answers' in value

/** Entries that the device could not keep: they are sent as long as the page is open. */
let unsavedEntries: readonly Entry[] = []

/** Those whose files the device could not keep. */
const withoutFiles = new Set<string>()

function storedEntries(): Entry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isEntry) : []
  } catch {
    return []
  }
}

/** What waits on this device to be sent by this link, oldest first. */
export const pendingEntries = (): Entry[] => [...storedEntries(), ...unsavedEntries]

/** Whether something that waits is on this page only, and ends with it. */
export const isOnPageOnly = (): boolean =>
  unsavedEntries.length > 0 || storedEntries().some(({ id }) => withoutFiles.has(id))

/** Returns false if the device cannot keep them. */
function store(entries: readonly Entry[]): boolean {
  try {
    if (entries.length) localStorage.setItem(key(), JSON.stringify(entries))
    else localStorage.removeItem(key())
    return true
  } catch {
    return false
  }
}

/**
 * Keeps answers on the device. One that cannot keep them, and a shared tablet, which keeps nothing of a person, sends them all the same.
 * @param bodyOf makes the body with the id of the entry
 * @param id a new one, unless something counts for these answers only, such as a contact that is confirmed
 */
export function addEntry(path: string, bodyOf: (id: string) => unknown, answers: Answers, id = newId()): Entry {
  const entry = { id, path, body: bodyOf(id), answers }
  if (isTablet || !store([...storedEntries(), entry])) unsavedEntries = [...unsavedEntries, entry]
  return entry
}

function dropEntry({ id }: Entry): void {
  unsavedEntries = unsavedEntries.filter((each) => each.id !== id)
  store(storedEntries().filter((each) => each.id !== id))
}

const hasFiles = ({ answers }: Entry): boolean => Object.values(answers).some(({ value }) => isKeptFile(value))

/** The body as the server takes it: its files by the names under which they are stored. */
const bodyWith = (body: unknown, names: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    isKeptFile(value) ? { fileName: names.get(value.blob), name: value.name } : value,
  )

/** Keeps the files of an entry with it, and removes those of earlier ones. */
async function keepFilesOf(entry: Entry): Promise<void> {
  if (!hasFiles(entry) || isTablet) return
  const { keepFiles, sweepFiles } = await import('./files')
  if (await keepFiles(entry.answers)) withoutFiles.delete(entry.id)
  else withoutFiles.add(entry.id)
  const texts = Object.keys(localStorage).map((name) => localStorage.getItem(name) ?? '')
  await sweepFiles(texts).catch(() => undefined)
}

async function finishEntry(entry: Entry, isRefused: boolean): Promise<void> {
  dropEntry(entry)
  if (hasFiles(entry)) await (await import('./files')).dropFiles(entry.answers, isRefused)
}

/** Milliseconds without an answer until the next try. */
const NO_ANSWER = 60_000

/** What is on its way: a file, and how much of it has left the device, from 0 to 1. */
export type UploadProgress = { name: string; share: number }

async function refuseEntry(entry: Entry, problem: EntryProblem): Promise<SubmissionResult> {
  await finishEntry(entry, true)
  return { kind: 'refused', problem }
}

/** Sends an entry, its files first. */
async function send(
  translator: Translator,
  entry: Entry,
  onProgress: (now: UploadProgress | undefined) => void,
): Promise<SubmissionResult> {
  let { body } = entry
  if (hasFiles(entry)) {
    const { uploadFiles } = await import('./files')
    await keepFilesOf(entry)
    const to = entry.path.replace(/\/responses(\?.*)?$/, '/uploads')
    const outcome = await uploadFiles(translator, to, entry.answers, (name, share) => onProgress({ name, share }))
    onProgress(undefined)
    if ('problem' in outcome) return refuseEntry(entry, outcome.problem)
    if ('stopped' in outcome)
      return verdictOf(outcome.stopped) === 'later'
        ? { kind: 'waiting' }
        : refuseEntry(entry, problemOf(outcome.stopped))
    body = bodyWith(body, outcome.names)
  }
  const answer = await ask<Receipt>(translator, 'POST', entry.path, {
    body,
    headers: { 'Idempotency-Key': entry.id },
    signal: AbortSignal.timeout(NO_ANSWER),
  })
  const verdict = answer.isDone ? 'stored' : verdictOf(answer)
  if (verdict === 'later') return { kind: 'waiting' }
  if (!answer.isDone && verdict === 'refused') return refuseEntry(entry, problemOf(answer))
  await finishEntry(entry, false)
  return storedResult(answer.isDone ? answer.body : {})
}

/**
 * Sends an entry, its files first. It leaves the device as soon as the server has stored or refused it. One tab sends it at a time;
 * undefined if another one did so meanwhile.
 */
export const sendEntry = (
  translator: Translator,
  entry: Entry,
  onProgress: (now: UploadProgress | undefined) => void,
): Promise<SubmissionResult | undefined> =>
  withLock(
    `link ${entry.id}`,
    async () => (pendingEntries().some(({ id }) => id === entry.id) ? send(translator, entry, onProgress) : undefined),
    // What sends files cannot be loaded without a connection.
  ).catch(() => ({ kind: 'waiting' }))
