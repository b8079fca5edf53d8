/** What the server does with an entry: it stores it, refuses it, or cannot be reached now. */
import type { Answer } from '#web/common/api'
import type { QueuedEntry } from './database'
import type { EntryProblem, Person, Sent } from './model'
import { askAs } from './request'
import { uploaded } from './uploads'

type Failed = Extract<Answer<never>, { isDone: false }>
type Stored = { postSubmissionText?: string | null; onScreenMessages?: readonly string[] }

/** What became of an entry; `later` if nothing is known, so that it is sent again under the same id. */
export type Became = Extract<Sent, { kind: 'stored' | 'refused' }> | { kind: 'later' }

/** The refusals of the server that stay, however often the same is sent. Everything else is tried again. */
const LASTING: ReadonlySet<number> = new Set([400, 403, 404, 409, 413, 422])

const isLasting = ({ status }: Failed): boolean => LASTING.has(status)

const refused = ({ status, message, details }: Failed): Became => {
  const { code, problems } = details
  const fields = (problems ?? {}) as EntryProblem['fields']
  return { kind: 'refused', problem: { status, message, fields, ...(typeof code === 'string' ? { code } : {}) } }
}

/** Sends an entry with its files. */
export async function deliver(entry: QueuedEntry, person: Person): Promise<Became> {
  const files = await uploaded(entry, person)
  if (files.kind === 'failed') return isLasting(files.answer) ? refused(files.answer) : { kind: 'later' }
  if (files.kind === 'gone') {
    return { kind: 'refused', problem: { status: 0, message: files.message, code: 'fileGone', fields: {} } }
  }
  const query = new URLSearchParams({ opened: entry.opened, version: entry.version })
  const path = `/participants/trials/${person.trial}/stages/${encodeURIComponent(entry.occurrence)}/responses?${query}`
  const answer = await askAs<Stored>('POST', path, { body: files.answers, idempotencyKey: entry.id, as: person })
  if (!answer.isDone) return isLasting(answer) ? refused(answer) : { kind: 'later' }
  const { postSubmissionText = null, onScreenMessages: messages = [] } = answer.body
  return { kind: 'stored', postSubmissionText, messages }
}

/** Gives a refused entry to the study team. Returns whether the server has it. */
export async function handOverEntry(entry: QueuedEntry, person: Person): Promise<boolean> {
  const files = await uploaded(entry, person)
  if (files.kind === 'failed') return false
  const { code, message } = entry.problem ?? {}
  const body = {
    ...{ entry: entry.id, stage: entry.occurrence },
    response: files.kind === 'gone' ? files.others : files.answers,
    ...{ code: code ?? null, message: message?.slice(0, 2000) ?? null },
  }
  return (await askAs('POST', '/participants/held', { body, as: person })).isDone
}

type Held = { heldEntries: readonly { entry: string; status: string }[] }

/** The ids of the entries about which the team has decided. */
export async function readDecisions(): Promise<ReadonlySet<string>> {
  const answer = await askAs<Held>('GET', '/participants/held')
  const all = answer.isDone ? answer.body.heldEntries : []
  return new Set(all.flatMap(({ entry, status }) => (status === 'held' ? [] : [entry])))
}
