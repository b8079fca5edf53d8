/** What an answer of the server means for an entry. Pure. */
import type { FailedAnswer } from '#web/kit/api/send'
import type { EntryProblem, RuleMessage, SubmissionResult } from './model'

/**
 * `repeated`: the server has stored the entry before. `later`: nothing is known, so the same entry is sent again.
 * `refused`: the server has read the entry, and does not take it.
 */
export type Verdict = 'repeated' | 'later' | 'refused'

/** The statuses of a decision about the entry itself. Every other one may come from a proxy, a portal, or a server in trouble. */
const DECISIONS: ReadonlySet<number> = new Set([400, 403, 404, 409, 413, 415, 422])

/** Judges an answer that is not a success. */
export function verdictOf({ status, isRefusal, details }: FailedAnswer): Verdict {
  if (!isRefusal || !DECISIONS.has(status)) return 'later'
  return details.code === 'repeatedEntry' ? 'repeated' : 'refused'
}

/** What the server says when it has stored answers. One that was asked before the messages had ids says their texts only. */
export type Receipt = {
  postSubmissionText?: string | null
  onScreenMessages?: readonly string[]
  ruleMessages?: readonly RuleMessage[]
}

/** The receipt as the app shows it. */
export function storedResult({ postSubmissionText = null, onScreenMessages = [], ruleMessages }: Receipt) {
  const textsOnly = () =>
    onScreenMessages.map((message, at): RuleMessage => ({ id: `${at}`, severity: 'normal', message }))
  return { kind: 'stored', postSubmissionText, messages: ruleMessages ?? textsOnly() } satisfies SubmissionResult
}

/** The refusal as the entry keeps it. */
export function problemOf({ status, message, details }: FailedAnswer): EntryProblem {
  const { code, problems } = details
  // Problems of answers are by the `_id` of a data type, others by their path in the body.
  const ofAnswers = Object.entries(problems ?? {}).filter(([path]) => /^\w{24}$/.test(path))
  return {
    status,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    fields: Object.fromEntries(ofAnswers) as EntryProblem['fields'],
  }
}

/** The texts of the app for refusals of everything that a person does, by their code. */
export const REFUSALS = {
  withdrawn: 'refusal.withdrawn',
  archived: 'refusal.archived',
  databaseLocked: 'refusal.locked',
  consentWithdrawn: 'refusal.consentWithdrawn',
  consentMissing: 'refusal.consentMissing',
  consentOutdated: 'refusal.consentOutdated',
} as const

/** Whether the person can correct it: something is wrong with single answers. */
export const isCorrectable = ({ fields }: EntryProblem): boolean => Object.keys(fields).length > 0

/** The server takes nothing from these people, so that the study team does not get it either. */
const NOT_TAKEN: ReadonlySet<string | undefined> = new Set([
  ...['withdrawn', 'archived', 'consentWithdrawn', 'consentMissing', 'consentOutdated'],
])

/** Whether the study team gets it. */
export const isHeld = ({ code }: EntryProblem): boolean => !NOT_TAKEN.has(code)

/** What is known of answers that the device has sent. */
type SentEntry = { state: string; problem?: EntryProblem; madeAt: string }

/** How long somebody has to correct answers before the study team gets a copy of them. */
const CORRECTION_TIME = 86_400_000

/**
 * Whether the study team shall get the entry now. What the person cannot correct is handed over at once; what they can, if they have
 * not for a day, so that it is not lost with the device.
 */
export function shouldHandOver({ state, problem, madeAt }: SentEntry, now: number): boolean {
  if (state !== 'refused' || !problem || !isHeld(problem)) return false
  return !isCorrectable(problem) || now - Date.parse(madeAt) > CORRECTION_TIME
}
