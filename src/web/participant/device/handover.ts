/** Entries that the study did not take: the study team gets a copy, and decides (docs/offline.md, "Held entries"). */

import { shouldHandOver, verdictOf } from '#web/form/answers/verdict'
import type { QueuedEntry } from './database'
import { entriesOf, removeEntry, updateEntry } from './entries'
import type { Person } from './model'
import { askAs } from './request'
import { uploadAnswers } from './uploads'

type HeldEntries = { heldEntries: readonly { entry: string; status: 'held' | 'accepted' | 'refused' }[] }

/** Entries that the server did not hold. They are tried again when the app is opened next. */
const notHeld = new Set<string>()

/** The code and the text of a refusal as the server takes them. */
const codeOf = (code: string | undefined) => (code !== undefined && /^[A-Za-z]{0,50}$/.test(code) ? code : null)
const textOf = (message: string) => [...message].slice(0, 1000).join('')

/** Hands one entry over. Returns whether to go on. */
async function handOver(entry: QueuedEntry, person: Person): Promise<boolean> {
  const body = await uploadAnswers(entry, person)
  if (!('answers' in body)) {
    notHeld.add(entry.id)
    return 'problem' in body || verdictOf(body) === 'refused'
  }
  const { id, occurrence: stage, opened, problem } = entry
  const about = { code: codeOf(problem?.code), message: textOf(problem?.message ?? '') }
  const answer = await askAs('POST', '/participants/held', {
    as: person,
    body: { entry: id, stage, response: body.answers, opened, ...about },
    signal: AbortSignal.timeout(60_000),
  })
  if (answer.isDone) await updateEntry(entry, { state: 'held' })
  else if (verdictOf(answer) === 'repeated') await removeEntry(entry)
  else if (verdictOf(answer) === 'refused') notHeld.add(id)
  else return false
  return true
}

/** Hands over what the study team shall have. Returns whether all of it was tried: if not, there is no connection. */
export async function handOverRefused(person: Person): Promise<boolean> {
  for (const entry of entriesOf(person.who)) {
    if (notHeld.has(entry.id) || !shouldHandOver(entry, Date.now())) continue
    if (!(await handOver(entry, person))) return false
  }
  return true
}

/**
 * Removes the entries that the study team has entered, and marks those that it has or did not enter: they stay until the person
 * removes them. The team may have one from a copy that was saved, too.
 */
export async function followDecisions(person: Person): Promise<void> {
  const refused = entriesOf(person.who).filter(({ state }) => state === 'held' || state === 'refused')
  if (!refused.length) return
  const answer = await askAs<HeldEntries>('GET', '/participants/held', {
    as: person,
    signal: AbortSignal.timeout(60_000),
  })
  if (!answer.isDone) return
  const decided = new Map(answer.body.heldEntries.map(({ entry, status }) => [entry, status]))
  for (const entry of refused) {
    const status = decided.get(entry.id)
    if (status === 'accepted') await removeEntry(entry)
    else if (status === 'refused') await updateEntry(entry, { state: 'declined' })
    else if (status === 'held' && entry.state === 'refused') await updateEntry(entry, { state: 'held' })
  }
}
