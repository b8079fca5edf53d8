/** Who may see arms in a trial with `blindsAdmins` (docs/permissions.md, "Blinded administrators"). */
import type { Db } from '#db/open'
import { deleteWhere, insert, rowsWhere } from '#db/rows'
import { unblindingGrants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { holdersOf } from './peopleStore'

type GrantRow = typeof unblindingGrants.$inferSelect

/** What was granted in a trial, by person and scope. */
function grantsOf(db: Db, trial: Id): Map<Id, Record<Id, string[]>> {
  const grants = new Map<Id, Record<Id, string[]>>()
  for (const { user, scope, keys } of rowsWhere(db, unblindingGrants, { trial }, 'scope')) {
    const own = grants.get(user) ?? {}
    grants.set(user, own)
    own[scope] = keys
  }
  return grants
}

type GrantDetails = Pick<GrantRow, 'grantedBy' | 'reason'> & { createdAt: Instant }

/** Replaces what was granted to a person. @param granted by scope `_id` */
export function replaceGrants(db: Db, user: Id, trial: Id, granted: Record<Id, string[]>, by: GrantDetails): void {
  deleteWhere(db, unblindingGrants, { user, trial })
  for (const [scope, keys] of Object.entries(granted)) insert(db, unblindingGrants, { user, trial, scope, keys, ...by })
}

/** Ends everything that was granted in a trial. */
export const endGrants = (db: Db, trial: Id): number => deleteWhere(db, unblindingGrants, { trial })

/** Ends what was granted to people who have left the trial: else it would be back when they return. Returns who they are. */
export function endGrantsOfLeavers(db: Db, trial: Id): Id[] {
  const people = [...grantsOf(db, trial).keys()]
  if (!people.length) return []
  const left = new Set(holdersOf(db, trial))
  const leavers = people.filter((user) => !left.has(user))
  for (const user of leavers) deleteWhere(db, unblindingGrants, { user, trial })
  return leavers
}

/** The people who get an e-mail about unblindings, as the randomisations of a trial name them. */
export const unblindingRecipientsOf = (db: Db, trial: Id): Id[] =>
  db.$client
    .query<{ user: Id }, [{ trial: Id }]>(
      `SELECT DISTINCT j.value AS user FROM randomisations r, json_each(r.unblindingRecipients) j WHERE r.trial = +$trial ORDER BY user`,
    )
    .all({ trial })
    .map(({ user }) => user)
