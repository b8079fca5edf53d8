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

/**
 * The entries of people who came into a meeting and, by the log, never left it. The entry of a leave follows soon, so that each look
 * for one is short.
 */
export const joinsWithoutLeave = (db: Db): JoinEntry[] =>
  db.$client
    .query<JoinEntry, []>(
      `SELECT j.chain, j.createdAt, j.userType, j.user, j.userEmail, j.participant, j.event ->> '$.meeting' AS meeting,
         j.address, j.device, j.personal
       FROM trials t CROSS JOIN auditEntries j
       WHERE j.chain = t._id AND j.type = 'joinMeeting' AND NOT EXISTS (
         SELECT 1 FROM auditEntries l
         WHERE l.chain = j.chain AND l.type = 'leaveMeeting' AND l.number > j.number AND l.userType = j.userType
           AND l.user IS j.user AND l.participant IS j.participant AND l.event ->> '$.meeting' = j.event ->> '$.meeting')
       ORDER BY j.chain, j.number`,
    )
    .all()
