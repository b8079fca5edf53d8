/** How long deleted data is kept: fewer days need one person, or two while the team has a protected trial. */
import type { Staff } from '#access/caller'
import { requireFreshConfirmation } from '#access/freshConfirmation'
import { isUserPermitted } from '#access/identify'
import { isSamePerson } from '#accounts/users/store'
import type { Db } from '#db/open'
import type { Instant } from '#kernel/time'
import { graceDaysOf, hasProtectedTrial, type TeamRow } from './store'

type GraceChange = Partial<Pick<TeamRow, 'deletionGraceDays' | 'lowerGraceDays' | 'lowerGraceAskedBy'>>

/**
 * The change for a request of this number of days. More days apply at once. Fewer need a fresh confirmation (403), so that no key destroys
 * at once what it deletes; they hold at once if no trial is protected; else the wish is noted, and holds when another administrator sends
 * the same number. What is deleted already keeps its time.
 */
export function graceChange(
  { db, now, team, caller }: { db: Db; now: Instant; team: TeamRow; caller: Staff },
  days: number | undefined,
): GraceChange {
  if (days === undefined) return {}
  const none = { lowerGraceDays: null, lowerGraceAskedBy: null }
  const { lowerGraceDays, lowerGraceAskedBy: askedBy } = team
  if (days >= graceDaysOf(team)) return { deletionGraceDays: days, ...none }
  requireFreshConfirmation(caller, now)
  const isConfirmed =
    lowerGraceDays === days &&
    askedBy !== null &&
    !isSamePerson(db, askedBy, caller.user) &&
    isUserPermitted(db, askedBy, ({ teams }) => teams.get(team._id)?.permissions.has('team.admin') === true)
  if (isConfirmed || !hasProtectedTrial(db, team._id)) return { deletionGraceDays: days, ...none }
  return { lowerGraceDays: days, lowerGraceAskedBy: caller.user._id }
}
