/**
 * Answers on their way to the server. They are kept on the device only until the server has decided, so that a lost connection
 * or a closed page loses none; each has an id, with which it is stored once.
 */
import { newId } from '#web/app/device/ids'
import type { KeptAnswer, Sent } from '#web/app/device/model'
import { problemOf, verdictOf } from '#web/app/device/verdict'
import { ask } from '#web/common/api'
import type { Speaker } from '../texts'

export type Answers = Readonly<Record<string, KeptAnswer>>
export type Entry = { id: string; path: string; body: unknown; answers: Answers }

/** A link has a place of its own: the token is in its path. */
const key = (): string => `kept ${location.pathname}`

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'id' in value && 'path' in value && 'answers' in value

/** What waits on this device to be sent by this link, oldest first. */
export function keptEntries(): Entry[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isEntry) : []
  } catch {
    return []
  }
}

function write(entries: readonly Entry[]): void {
  if (entries.length) localStorage.setItem(key(), JSON.stringify(entries))
  else localStorage.removeItem(key())
}

/**
 * Keeps answers on the device. A device that cannot keep them sends them all the same.
 * @param bodyOf makes the body with the id of the entry
 * @param id a new one, unless something counts for these answers only, such as a contact that is confirmed
 */
export function keep(path: string, bodyOf: (id: string) => unknown, answers: Answers, id = newId()): Entry {
  const entry = { id, path, body: bodyOf(id), answers }
  try {
    write([...keptEntries(), entry])
  } catch {}
  return entry
}

const drop = ({ id }: Entry): void => write(keptEntries().filter((each) => each.id !== id))

/** Milliseconds without an answer until the next try. */
const NO_ANSWER = 60_000

type Stored = { postSubmissionText?: string | null; onScreenMessages?: readonly string[] }

/** Sends an entry. It leaves the device as soon as the server has stored or refused it. */
export async function sendEntry(speaker: Speaker, entry: Entry): Promise<Sent> {
  const answer = await ask<Stored>(speaker, 'POST', entry.path, {
    body: entry.body,
    headers: { 'Idempotency-Key': entry.id, 'Accept-Language': speaker.language },
    signal: AbortSignal.timeout(NO_ANSWER),
  })
  if (!answer.isDone) {
    const verdict = verdictOf(answer)
    if (verdict === 'later') return { kind: 'waiting' }
    drop(entry)
    if (verdict === 'refused') return { kind: 'refused', problem: problemOf(answer) }
    return { kind: 'stored', postSubmissionText: null, messages: [] }
  }
  drop(entry)
  const { postSubmissionText = null, onScreenMessages: messages = [] } = answer.body
  return { kind: 'stored', postSubmissionText, messages }
}
