/** What a restored backup brings back: sessions, keys, accounts and links. */
import { accountEnabled } from '#access/store'
import type { Db, Sqlite } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type Key = { _id: string; prefix: string; name: string; email: string }
export type Account = { name: string; email: string; lastSeenAt: Instant | null }

/** The links that still open something at a moment, by kind. The texts are for the operator. */
const LINKS: Readonly<Record<string, string>> = {
  'links to set a password': 'setupTokens WHERE usedAt IS NULL AND expiresAt > $now',
  'sign-in links of participants': 'grants WHERE usedAt IS NULL AND expiresAt > $now',
  'links to forms': 'stageTokens WHERE expiresAt > $now',
  'links to forms after a consent': 'screenings WHERE expiresAt > $now',
  'links to calendars': 'calendarLinks WHERE $now > 0',
  'links of approvers of files': 'fileApprovers WHERE decision IS NULL AND $now > 0',
  'shared tablets': 'sharedDevices WHERE endedAt IS NULL AND expiresAt > $now',
}

/** The keys that have not ended. */
export const keysIn = (sqlite: Sqlite, now: Instant): Key[] =>
  sqlite
    .query<Key, [{ now: Instant }]>(
      `SELECT k._id, k.prefix, k.name, u.email FROM apiKeys k JOIN users u ON u._id = k.user
       WHERE k.expiresAt IS NULL OR k.expiresAt > $now ORDER BY u.email, k._id`,
    )
    .all({ now })

/** The accounts that can sign in. */
export const accountsIn = (sqlite: Sqlite): Account[] =>
  sqlite
    .query<Account, []>(`SELECT name, email, lastSeenAt FROM users WHERE ${accountEnabled('users')} ORDER BY email`)
    .all()

/** How many links of each kind still open something. */
export const linksIn = (sqlite: Sqlite, now: Instant): Record<string, number> =>
  Object.fromEntries(
    Object.entries(LINKS).flatMap(([kind, rows]) => {
      const n = sqlite.query<{ n: number }, [{ now: Instant }]>(`SELECT count(*) AS n FROM ${rows}`).get({ now })!.n
      return n ? [[kind, n]] : []
    }),
  )

/** Has all keys refused until they are confirmed. */
export const suspendKeys = (sqlite: Sqlite, now: Instant) =>
  sqlite
    .query<unknown, [{ now: Instant }]>('UPDATE apiKeys SET suspendedAt = $now WHERE suspendedAt IS NULL')
    .run({ now })

/** Ends all sessions. Returns how many there were. */
export const endSessions = (sqlite: Sqlite): { staff: number; participants: number } => ({
  staff: sqlite.query('DELETE FROM sessions').run().changes,
  participants: sqlite.query('DELETE FROM participantTokens').run().changes,
})

/** What waits for a second person, and might have been refused or done since: acts, purges of what is kept, and shorter times to keep it. */
const WAITING = [
  `UPDATE secondRequests SET status = 'refused', decidedAt = $now WHERE status = 'open' AND expiresAt > $now`,
  `UPDATE deletions SET purgeAskedBy = NULL, purgeAskedAt = NULL, purgeReason = NULL, purgeConfirmedBy = NULL
     WHERE status = 'kept' AND purgeAskedBy IS NOT NULL AND $now > 0`,
  'UPDATE teams SET lowerGraceDays = NULL, lowerGraceAskedBy = NULL WHERE lowerGraceAskedBy IS NOT NULL AND $now > 0',
]

/** Ends everything that waits for a second person. Returns how much there was. */
export const endWaiting = (sqlite: Sqlite, now: Instant): number =>
  WAITING.reduce((sum, sql) => sum + sqlite.query<unknown, [{ now: Instant }]>(sql).run({ now }).changes, 0)

/** The `_id`s of all teams. */
export const teamsIn = ({ $client }: Db): Id[] =>
  $client
    .query<{ _id: Id }, []>('SELECT _id FROM teams ORDER BY _id')
    .all()
    .map(({ _id }) => _id)

/** The `_id`s of all trials. */
export const trialsIn = ({ $client }: Db): Id[] =>
  $client
    .query<{ _id: Id }, []>('SELECT _id FROM trials ORDER BY _id')
    .all()
    .map(({ _id }) => _id)

/** The `_id` of the first row of a trial in a table; undefined if there is none. */
export const firstOf = ({ $client }: Db, table: string, trial: Id): Id | undefined =>
  $client
    .query<{ _id: Id }, [{ trial: Id }]>(`SELECT _id FROM "${table}" WHERE trial = $trial ORDER BY _id LIMIT 1`)
    .get({ trial })?._id
