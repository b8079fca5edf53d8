import { cursorOf, setCursor } from '#db/cursors'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** The entry of somebody who came into a meeting; `personal` as it is stored. */
export type JoinEntry = {
  chain: Id
  createdAt: Instant
  userType: 'user' | 'participant'
  user: Id | null
  userEmail: string | null
  participant: Id
  meeting: Id
  address: string | null
  device: string | null
  personal: string | null
}

/** The newest entry of somebody who came in, up to which every one has been looked at. */
const CURSOR = 'joinsWithoutLeave'

/** The `_id` of the newest entry of somebody who came into a meeting; 0 if there is none. */
const newestJoin = (db: Db): number =>
  db.$client
    .query<{ _id: number | null }, []>(
      `SELECT max((SELECT _id FROM auditEntries WHERE chain = t._id AND type = 'joinMeeting' ORDER BY number DESC LIMIT 1)) AS _id
       FROM trials t`,
    )
    .get()?._id ?? 0

/**
 * Takes the entries of people who came into a meeting and, by the log, never left it: each is returned once, inside a transaction. What
 * was looked at before is not looked at again, so that a start does not take longer with every meeting. The entry of a leave follows
 * soon, so that each look for one is short.
 */
export function takeJoinsWithoutLeave(db: Db): JoinEntry[] {
  const [known, newest] = [cursorOf(db, CURSOR) ?? 0, newestJoin(db)]
  if (newest === known) return []
  setCursor(db, CURSOR, newest)
  return db.$client
    .query<JoinEntry, [{ known: number }]>(
      `SELECT j.chain, j.createdAt, j.userType, j.user, j.userEmail, j.participant, j.event ->> '$.meeting' AS meeting,
         j.address, j.device, j.personal
       FROM trials t CROSS JOIN auditEntries j
       WHERE j.chain = t._id AND j.type = 'joinMeeting' 
         -- The numbers of entries that were deleted with their trial are given again.
         AND j._id > coalesce((SELECT _id FROM auditEntries WHERE _id = +$known AND type = 'joinMeeting'), 0) AND NOT EXISTS (
         SELECT 1 FROM auditEntries l
         WHERE l.chain = j.chain AND l.type = 'leaveMeeting' AND l.number > j.number AND l.userType = j.userType
           AND l.user IS j.user AND l.participant IS j.participant AND l.event ->> '$.meeting' = j.event ->> '$.meeting')
       ORDER BY j.chain, j.number`,
    )
    .all({ known })
}
