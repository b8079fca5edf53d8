import type { Staff } from '#access/caller'
import { isAble } from '#access/identify'
import type { Db } from '#db/open'
import type { DeletionRow } from '#design/deletions/store'
import { OPEN_FOR, requireAsker, requireOther } from '#design/secondRequests/rules'
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
  ({ team, trial }: DeletionRow): Parameters<typeof isAble>[2] =>
  ({ teams, trials }) =>
    trial === null
      ? (['team.admin', 'trials.manage'] as const).some((key) => teams.get(team)?.permissions.has(key))
      : trials.get(trial)?.trial.has('admin') === true

/** Who asked for a purge that can still be confirmed; null if nobody did. */
const askerOf = ({ purgeAskedBy, purgeAskedAt }: DeletionRow, now: Instant): Id | null =>
  purgeAskedAt !== null && purgeAskedAt + OPEN_FOR > now ? purgeAskedBy : null

type Purging = { db: Db; now: Instant; caller: Staff; deletion: DeletionRow }

/** Refuses (409) a purge that two people have agreed on: of a trial, it begins within seconds. */
function requireNotConfirmed({ _id, purgeConfirmedBy }: DeletionRow): void {
  if (purgeConfirmedBy !== null) throw refuse.conflict('This purge was confirmed already.', { deletion: _id })
}

/** Refuses (409) to ask for a purge that was asked for already, and can still be confirmed. */
export function requireNotAsked({ db, now, deletion }: Purging): void {
  requireNotConfirmed(deletion)
  const asker = askerOf(deletion, now)
  if (asker === null || !isAble(db, asker, mayPurge(deletion))) return
  throw refuse.conflict('This purge was asked for already, and waits for the confirmation of another person.', {
    deletion: deletion._id,
    expiresAt: instantText((deletion.purgeAskedAt ?? now) + OPEN_FOR),
  })
}

/**
 * Refuses a confirmation: 400 of what nobody asked for within seven days, or of what the person asked for themselves, also with
 * another account; 409 of what somebody asked for who has lost the permission.
 */
export function requireTwo({ db, now, caller, deletion }: Purging): void {
  requireNotConfirmed(deletion)
  const asker = askerOf(deletion, now)
  if (asker === null) throw refuse.bad('Nobody has asked for this purge within the last 7 days. Ask for it first.')
  requireOther(db, asker, caller.user)
  requireAsker(db, asker, mayPurge(deletion), { deletion: deletion._id })
}
