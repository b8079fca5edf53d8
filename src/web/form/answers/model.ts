/** Answers as a form hands them over, and what becomes of them. Moments are ISO texts by the clock of the device. */
import type { CodedProblem } from '#texts/answers/problemText'

/** An answer as the person gave it. */
export type KeptAnswer = { value: unknown; createdAt: string }

/** The value of an answer that is a file, until it is uploaded. The bytes are kept beside it. */
export type KeptFile = { blob: string; name: string; type: string; size: number }

export const isKeptFile = (value: unknown): value is KeptFile =>
  typeof value === 'object' && value !== null && 'blob' in value && typeof value.blob === 'string'

/** How the names begin under which answers by links wait (`localStorage`). */
export const OF_LINKS = 'kept '

/** Answers that are not sent yet. */
export type DraftPart = {
  answers: Readonly<Record<string, KeptAnswer>>
  /** The screen where the person was, where a stage shows one question at a time. */
  screen: number
  /** Of the form that the person saw. */
  version: string
  opened: string
}

/** Why the server refused answers: its words, its code, and what is wrong with single fields. */
export type EntryProblem = {
  status: number
  message: string
  code?: string
  /** By data type, with code and parameters, so that it can be said in the person's language. */
  fields: Readonly<Record<string, CodedProblem & { text: string }>>
}

/** A message of a rule of the study, as the engine and the server give it. */
export type RuleMessage = { id: string; severity: 'normal' | 'urgent'; message: string }

/** What a form shows after the submission, as far as the device knows it. */
export type SubmissionFeedback = { text: string | null; messages: readonly RuleMessage[] }

/** What became of answers that were sent just now. `waiting`: there is no connection; they are sent later. */
export type SubmissionResult =
  | { kind: 'stored'; postSubmissionText: string | null; messages: readonly RuleMessage[] }
  | { kind: 'waiting' }
  | { kind: 'refused'; problem: EntryProblem }
