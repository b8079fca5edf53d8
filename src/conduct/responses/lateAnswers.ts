/**
 * Answers that were given before a form closed, and arrived after it (docs/offline.md). Pure: everything comes in as values.
 */
import type { SentAnswer } from '#design/forms/form'
import { completionKey } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import type { Hasher, Seal } from '#kernel/seal'
import { type Instant, MINUTE } from '#kernel/time'

/** How much the clock of a device may differ from the server's when answers say that they are older than the opened form. */
const CLOCK_TOLERANCE = 10 * MINUTE

type Occurrence = { participant: Id; stage: Id; stageRecurrence: number }

const openingProof = (seal: Hasher, { participant, stage, stageRecurrence }: Occurrence, at: Instant): string =>
  seal.hash(JSON.stringify(['opened', participant, completionKey(stage, stageRecurrence), at]))

/** The proof that the server sent this form at this time to this participant. It cannot be forged for another time. */
export const openedToken = (seal: Hasher, occurrence: Occurrence, at: Instant): string =>
  `${at}.${openingProof(seal, occurrence, at)}`

/** When the form was opened, by the server's clock; undefined if the token is not one of this participant and occurrence. */
export function openedAt(seal: Seal, occurrence: Occurrence, token: string): Instant | undefined {
  const [, time, proof] = /^(\d{1,16})\.(.+)$/s.exec(token) ?? []
  if (time === undefined || proof === undefined) return undefined
  const at = Number(time)
  const key = seal.keyOf(proof)
  return key && openedToken(key, occurrence, at) === token ? at : undefined
}

/** Why answers that arrive after the end of the window are not believed. */
const lateRefusals = ['notOpened', 'openedLate', 'noTime', 'beforeOpened', 'outsideWindow', 'newerAnswers'] as const
export type LateRefusal = (typeof lateRefusals)[number]

type AnswerTimes = {
  /** When the occurrence opened and closed for the participant. */
  enableAt: Instant
  expiresAt: Instant
  /** When the server sent the form, as its token proves; undefined without one. */
  openedAt: Instant | undefined
  /** When each answer was given, as the device says; undefined for one without a time. */
  times: readonly (Instant | undefined)[]
  /** When the newest of the stored answers was given; undefined if there are none. */
  newest: Instant | undefined
}

/**
 * Whether answers were given before the form closed: the time of the newest of them, or the reason why that is not believed.
 * The server proves that the form was opened in time; the times of the answers are what the device says.
 */
export function checkAnswerTimes({ enableAt, expiresAt, openedAt, times, newest }: AnswerTimes): Instant | LateRefusal {
  if (openedAt === undefined) return 'notOpened'
  if (openedAt >= expiresAt) return 'openedLate'
  const known = times.filter((at) => at !== undefined)
  if (!known.length || known.length < times.length) return 'noTime'
  const [first, last] = [Math.min(...known), Math.max(...known)]
  if (first < enableAt || last >= expiresAt) return 'outsideWindow'
  if (first < openedAt - CLOCK_TOLERANCE) return 'beforeOpened'
  // What somebody answered since then is newer, and is not replaced by an older answer.
  return newest !== undefined && newest > first ? 'newerAnswers' : last
}

/** The times of the answers that a submission sends to these fields. */
export const timesOf = (
  fields: Iterable<Id>,
  sent: Readonly<Record<Id, SentAnswer>>,
): readonly (Instant | undefined)[] =>
  [...fields].flatMap((dataType) => {
    const answer = sent[dataType]
    return answer === undefined || answer.value === undefined ? [] : [answer.createdAt ?? undefined]
  })
