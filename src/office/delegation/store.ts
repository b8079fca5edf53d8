import type { Db } from '#db/open'
import { insert, rowsFrom, rowsWhere } from '#db/rows'
import { delegationSignatures, delegations } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type DelegationRow = typeof delegations.$inferSelect
export type SignatureRow = typeof delegationSignatures.$inferSelect

/** The entries of a site, oldest first. */
export const delegationsOf = (db: Db, site: Id, limit = -1, skip = 0): DelegationRow[] =>
  rowsFrom(db, delegations, 'WHERE site = $site ORDER BY _id LIMIT +$limit OFFSET +$skip', { site, limit, skip })

export const insertDelegation = (db: Db, row: typeof delegations.$inferInsert): DelegationRow =>
  insert(db, delegations, row)

/** The signatures on an entry: of the person, then of the investigator. */
export const signaturesOn = (db: Db, delegation: Id): SignatureRow[] =>
  rowsWhere(db, delegationSignatures, { delegation }, 'signedAt')

export const insertSignature = (db: Db, row: SignatureRow): SignatureRow => insert(db, delegationSignatures, row)

const INVESTIGATORS = `WHERE site = $site AND role = 'principalInvestigator'`

/** The entries of principal investigators of a site that are not over on this day, even if they are not signed. */
export const investigatorsFrom = (db: Db, site: Id, day: string): DelegationRow[] =>
  rowsFrom(db, delegations, `${INVESTIGATORS} AND (endsOn IS NULL OR endsOn >= $day) ORDER BY startsOn, _id`, {
    site,
    day,
  })

/** The entry of the principal investigator of a site on this day who has signed it; undefined if there is none. */
export const investigatorOn = (db: Db, site: Id, day: string): DelegationRow | undefined =>
  rowsFrom(
    db,
    delegations,
    `${INVESTIGATORS} AND startsOn <= $day AND (endsOn IS NULL OR endsOn >= $day)
     AND EXISTS (SELECT 1 FROM delegationSignatures s WHERE s.delegation = delegations._id) ORDER BY startsOn DESC LIMIT 1`,
    { site, day },
  )[0]
