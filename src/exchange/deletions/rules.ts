import type { Staff } from '#access/caller'
import { isUserPermitted } from '#access/identify'
import type { Db } from '#db/open'
import type { DeletionRow } from '#design/deletions/store'
import { REQUEST_LIFETIME, requireAskerPermitted, requireOtherPerson } from '#design/secondRequests/rules'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Instant, instantText } from '#kernel/time'

/** A page of deletions, of which one more was read to see whether it is the last. */
export const pageOf = (
  rows: readonly DeletionRow[],
  perPage: number,
): { deletions: DeletionRow[]; nextPage: Id | null } => {
  const deletions = rows.slice(0, perPage)
  return { deletions, nextPage: rows.length > perPage ? deletions.at(-1)!._id : null }
}

/** Whether somebody may ask for the purge, and confirm it: of a trial the people who manage the trials of the team. */
const mayPurge =
  ({ team, trial }: DeletionRow): Parameters<typeof isUserPermitted>[2] =>
  ({ teams, trials }) =>
    trial === null
      ? (['team.admin', 'trials.manage'] as const).some((key) => teams.get(team)?.permissions.has(key))
      : trials.get(trial)?.trial.has('admin') === true

/** The administrator who asked for a purge that can still be confirmed; null if there is no such request. */
const askerOf = ({ purgeAskedBy, purgeAskedAt }: DeletionRow, now: Instant): Id | null =>
  purgeAskedAt !== null && purgeAskedAt + REQUEST_LIFETIME > now ? purgeAskedBy : null

type PurgeContext = { db: Db; now: Instant; caller: Staff; deletion: DeletionRow }

/** Refuses (409) a purge that two people have agreed on: of a trial, it begins within seconds. */
function requireNotConfirmed({ _id, purgeConfirmedBy }: DeletionRow): void {
  if (purgeConfirmedBy !== null) throw refuse.conflict('purgeConfirmed', undefined, { deletion: _id })
}

/** Refuses (409) to ask for a purge that was asked for already, and can still be confirmed. */
export function requireNoRequest({ db, now, deletion }: PurgeContext): void {
  requireNotConfirmed(deletion)
  const asker = askerOf(deletion, now)
  if (asker === null || !isUserPermitted(db, asker, mayPurge(deletion))) return
  throw refuse.conflict('purgeRequested', undefined, {
    deletion: deletion._id,
    expiresAt: instantText((deletion.purgeAskedAt ?? now) + REQUEST_LIFETIME),
  })
}

/**
 * Refuses a confirmation: 400 if no purge was asked for within seven days, or if the same person asked for it, also with
 * another account; 409 if the person who asked has lost the permission.
 */
export function requireSecondPerson({ db, now, caller, deletion }: PurgeContext): void {
  requireNotConfirmed(deletion)
  const asker = askerOf(deletion, now)
  if (asker === null) throw refuse.bad('purgeNotRequested')
  requireOtherPerson(db, asker, caller.user)
  requireAskerPermitted(db, asker, mayPurge(deletion), { deletion: deletion._id })
}
