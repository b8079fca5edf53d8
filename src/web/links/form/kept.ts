/**
 * Answers on their way to the server. They are kept on the device only until the server has decided, so that a lost connection
 * or a closed page loses none; each has an id, with which it is stored once.
 */
import { newId } from '#web/app/device/ids'
import { exclusively } from '#web/app/device/locks'
import { type EntryProblem, isKeptFile, type KeptAnswer, OF_LINKS, type Sent } from '#web/app/device/model'
import { isTablet } from '#web/app/device/tablet'
import { problemOf, type Receipt, storedWith, verdictOf } from '#web/app/device/verdict'
import { ask } from '#web/common/api'
import type { Speaker } from '../texts'

export type Answers = Readonly<Record<string, KeptAnswer>>
export type Entry = { id: string; path: string; body: unknown; answers: Answers }

/** A link has a place of its own: the token is in its path. */
const key = (): string => OF_LINKS + location.pathname

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'id' in value && 'path' in value && 'answers' in value

/** Entries that the device could not keep: they are sent as long as the page is open. */
let unkept: readonly Entry[] = []

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
export const keptEntries = (): Entry[] => [...storedEntries(), ...unkept]

/** Whether something that waits is on this page only, and ends with it. */
export const isOnPageOnly = (): boolean => unkept.length > 0 || storedEntries().some(({ id }) => withoutFiles.has(id))

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
export function keep(path: string, bodyOf: (id: string) => unknown, answers: Answers, id = newId()): Entry {
  const entry = { id, path, body: bodyOf(id), answers }
  if (isTablet || !store([...storedEntries(), entry])) unkept = [...unkept, entry]
  return entry
}

function drop({ id }: Entry): void {
  unkept = unkept.filter((each) => each.id !== id)
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

async function decided(entry: Entry, isRefused: boolean): Promise<void> {
  drop(entry)
  if (hasFiles(entry)) await (await import('./files')).dropFiles(entry.answers, isRefused)
}

/** Milliseconds without an answer until the next try. */
const NO_ANSWER = 60_000

/** What is on its way: a file, and how much of it has left the device, from 0 to 1. */
export type Progressing = { name: string; share: number }

async function refused(entry: Entry, problem: EntryProblem): Promise<Sent> {
  await decided(entry, true)
  return { kind: 'refused', problem }
}

/** Sends an entry, its files first. */
async function send(speaker: Speaker, entry: Entry, told: (now: Progressing | undefined) => void): Promise<Sent> {
  let { body } = entry
  if (hasFiles(entry)) {
    const { uploadFiles } = await import('./files')
    await keepFilesOf(entry)
    const to = entry.path.replace(/\/responses(\?.*)?$/, '/uploads')
    const outcome = await uploadFiles(speaker, to, entry.answers, (name, share) => told({ name, share }))
    told(undefined)
    if ('problem' in outcome) return refused(entry, outcome.problem)
    if ('stopped' in outcome)
      return verdictOf(outcome.stopped) === 'later' ? { kind: 'waiting' } : refused(entry, problemOf(outcome.stopped))
    body = bodyWith(body, outcome.names)
  }
  const answer = await ask<Receipt>(speaker, 'POST', entry.path, {
    body,
    headers: { 'Idempotency-Key': entry.id },
    signal: AbortSignal.timeout(NO_ANSWER),
  })
  const verdict = answer.isDone ? 'stored' : verdictOf(answer)
  if (verdict === 'later') return { kind: 'waiting' }
  if (!answer.isDone && verdict === 'refused') return refused(entry, problemOf(answer))
  await decided(entry, false)
  return storedWith(answer.isDone ? answer.body : {})
}

/**
 * Sends an entry, its files first. It leaves the device as soon as the server has stored or refused it. One tab sends it at a time;
 * undefined if another one did so meanwhile.
 */
export const sendEntry = (
  speaker: Speaker,
  entry: Entry,
  told: (now: Progressing | undefined) => void,
): Promise<Sent | undefined> =>
  exclusively(
    `link ${entry.id}`,
    async () => (keptEntries().some(({ id }) => id === entry.id) ? send(speaker, entry, told) : undefined),
    // What sends files cannot be loaded without a connection.
  ).catch(() => ({ kind: 'waiting' }))
