/** The six states of a form of a participant: one function for the strip of the grid and for the casebook (pure). */
import type { AnswerOf } from '#web/kit/api/operations'
import type { FormState } from './glyph'

type TimelineEntry = AnswerOf<'readTimeline'>['stages'][number]
type StateFacts = Pick<TimelineEntry, 'completed' | 'expired' | 'behind' | 'adHoc' | 'enableAt'>

/**
 * The state of one occurrence. It never depends on answers: a form has the same state for everybody, also for people who do not
 * see answers. Only a draft of one's own makes it “started”.
 * @param now in milliseconds
 */
export function formState(
  { completed, expired, behind, adHoc, enableAt }: StateFacts,
  now: number,
  hasDraft = false,
): FormState {
  if (completed) return 'complete'
  if (expired) return 'missed'
  if (behind) return 'behind'
  if (hasDraft) return 'started'
  const isOpen = adHoc || (enableAt !== null && Date.parse(enableAt) <= now)
  return isOpen ? 'open' : 'waiting'
}
