/** How long what was deleted is kept: fewer days need two people while a trial of the team is protected. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { isSamePerson } from '../users/store'
import { graceDaysOf, hasProtectedTrial, type TeamRow } from './store'

type Change = Partial<Pick<TeamRow, 'deletionGraceDays' | 'lowerGraceDays' | 'lowerGraceAskedBy'>>

/**
 * What a wish for this number of days changes. More days hold at once. Fewer hold at once if no trial is protected; else the wish is noted,
 * and holds when another administrator sends the same number. What is deleted already keeps its time.
 */
export function graceChange(db: Db, team: TeamRow, days: number | undefined, by: { _id: Id; email: string }): Change {
  if (days === undefined) return {}
  const none = { lowerGraceDays: null, lowerGraceAskedBy: null }
  const { lowerGraceDays, lowerGraceAskedBy: askedBy } = team
  const isConfirmed = lowerGraceDays === days && askedBy !== null && !isSamePerson(db, askedBy, by)
  if (days >= graceDaysOf(team) || isConfirmed || !hasProtectedTrial(db, team._id))
    return { deletionGraceDays: days, ...none }
  return { lowerGraceDays: days, lowerGraceAskedBy: by._id }
}
