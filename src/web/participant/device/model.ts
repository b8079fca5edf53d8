/** What the app keeps on the device (docs/offline.md). Moments are ISO texts by the clock of the device. */
import type { CodedProblem } from '#texts/answers/problemText'

/** The participant who is signed in. There is one at a time; what others left in the queue stays theirs. */
export type Person = {
  /** `<trial>/<participant>`: whatever is kept on the device belongs to one of these. */
  who: string
  /** The trial's `_id`. */
  trial: string
  /** The participant's ID as people write it. */
  participantId: string
  /** Of the session. */
  token: string
}

/** An answer as the person gave it. */
export type KeptAnswer = { value: unknown; createdAt: string }

/** The value of an answer that is a file, until it is uploaded. The bytes are kept beside it. */
export type KeptFile = { blob: string; name: string; type: string; size: number }

export const isKeptFile = (value: unknown): value is KeptFile =>
  typeof value === 'object' && value !== null && 'blob' in value && typeof value.blob === 'string'

/** How the names begin under which answers by links wait (`localStorage`). */
export const OF_LINKS = 'kept '

/** Answers that are not sent yet. There is one for each occurrence of a stage and person. */
export type Draft = {
  who: string
  /** `<stage>` or `<stage>::<n>`, as in the address of the stage detail. */
  occurrence: string
  /** Of the form that the person saw. */
  version: string
  opened: string
  answers: Readonly<Record<string, KeptAnswer>>
  /** The screen where the person was, where a stage shows one question at a time. */
  screen: number
  keptAt: string
}

/** Answers on their way to the server. An entry ends only when the server has stored or held it. */
export type Entry = {
  /** A UUID, which the server keeps for ever: the same entry is never stored twice. */
  id: string
  who: string
  occurrence: string
  /** The name of the form, to be shown in the list of what waits. */
  title: string
  version: string
  opened: string
  answers: Readonly<Record<string, KeptAnswer>>
  /** `refused` by the server with `problem`; `held` where staff have it now, and decide; `declined` when they did not enter it. */
  state: 'waiting' | 'refused' | 'held' | 'declined'
  problem?: EntryProblem
  tries: number
  madeAt: string
}

/** Why the server refused an entry: its words, its code, and what is wrong with single fields. */
export type EntryProblem = {
  status: number
  message: string
  code?: string
  /** By data type, with code and parameters, so that the app can say it in its language. */
  fields: Readonly<Record<string, CodedProblem & { text: string }>>
}

/** A message of a rule of the study, as the engine and the server give it. */
export type RuleMessage = { id: string; severity: 'normal' | 'urgent'; message: string }

/** What a form shows after the submission, as far as the device knows it. */
export type SubmissionFeedback = { text: string | null; messages: readonly RuleMessage[] }

/** What became of an entry that was sent just now. `waiting`: there is no connection; it is sent later. */
export type SubmissionResult =
  | { kind: 'stored'; postSubmissionText: string | null; messages: readonly RuleMessage[] }
  | { kind: 'waiting' }
  | { kind: 'refused'; problem: EntryProblem }
