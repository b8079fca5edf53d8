/** At which stage a trial and its sites are, and whether an essential record is lacking. Days are texts, which sort as days do. */
import type { EssentialRecord, Stage } from './recordType'
import { stages } from './recordType'

/** Files that expire within this number of days are pointed out. */
export const EXPIRING_DAYS = 30

export const states = [
  ...(['present', 'expiring', 'expired', 'notApproved', 'missing'] as const),
  ...(['none', 'notDue', 'notApplicable', 'hidden'] as const),
]
export type State = (typeof states)[number]

/** The states in which a record is lacking. */
export const isLacking = (state: State): boolean =>
  state === 'missing' || state === 'expired' || state === 'notApproved'

type TrialState = { isDatabaseLocked: boolean; isArchived: boolean; participantCount: number }

/** A trial begins with its first participant, and ends when its database is locked or it is archived. */
export function stageOfTrial({ isDatabaseLocked, isArchived, participantCount }: TrialState): Stage {
  if (isDatabaseLocked || isArchived) return 'after'
  return participantCount > 0 ? 'during' : 'before'
}

type SiteState = { approvalStatus: string | null; activityStatus: string | null; enrolled: number }

/** A site begins with its first participant, or when it is said to recruit, and ends when it is closed or the trial ends. */
export function stageOfSite({ approvalStatus, activityStatus, enrolled }: SiteState, trialStage: Stage): Stage {
  if (approvalStatus === 'rejected') return 'none'
  if (trialStage === 'after' || activityStatus === 'closed') return 'after'
  const isActive = /^(active|closedToRecruitment)/.test(activityStatus ?? '')
  return isActive || enrolled > 0 ? 'during' : 'before'
}

/** What another part of Trialbox holds of a record: `unsigned` if it is not in force; `hidden` if the reader may not know. */
export type Evidence = 'found' | 'unsigned' | 'nothing' | 'hidden'

export type RecordFindings = {
  isExempt: boolean
  /** The last day on which the best of its files is valid; null if none is approved, undefined if there is no file. */
  until: string | null | undefined
  evidence: Evidence
  /** The last days of what expires soon or has expired, of a record that each person has: files and training. */
  outdated: readonly string[]
}

const rank = (stage: Stage) => stages.indexOf(stage)

/** The state of a record. @param soon the last day that counts as soon */
export function stateOf(
  { due, isConditional, isPersonal }: Pick<EssentialRecord, 'due' | 'isConditional' | 'isPersonal'>,
  stage: Stage,
  { isExempt, until, evidence, outdated }: RecordFindings,
  { today, soon }: { today: string; soon: string },
): State {
  if (isExempt) return 'notApplicable'
  if (stage === 'none') return 'notDue'
  const isFound = typeof until === 'string'
  // After the end it is no fault that an approval or a CV expires.
  const isWatched = stage !== 'after' && evidence !== 'found'
  const ends = stage === 'after' ? [] : outdated
  if ((isWatched && isFound && until < today) || ends.some((day) => day < today)) return 'expired'
  const isEnding = isWatched && isFound && !isPersonal && until <= soon
  if (isEnding || ends.some((day) => day <= soon)) return 'expiring'
  if (isFound || evidence === 'found') return 'present'
  const isDue = rank(stage) >= rank(due)
  const hasBegun = until === null || evidence === 'unsigned'
  if (hasBegun && (isDue || isConditional)) return 'notApproved'
  if (evidence === 'hidden') return 'hidden'
  if (isConditional) return 'none'
  return isDue ? 'missing' : 'notDue'
}
