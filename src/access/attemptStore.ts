import type { Db } from '#db/open'
import { rowWhere, upsert } from '#db/rows'
import { attempts } from '#db/tables/index'
import type { Instant } from '#kernel/time'

export type AttemptRow = typeof attempts.$inferSelect

export const attemptsOf = (db: Db, name: string): AttemptRow | undefined => rowWhere(db, attempts, { name })

export const saveAttempts = (db: Db, row: AttemptRow): void => {
  upsert(db, attempts, row, 'name')
}

/** The most rows that are kept. */
const MOST = 200_000

/**
 * Deletes rows above the number that is kept, at most `limit`: first those with few failures that soonest would be forgotten.
 * So an attacker who tries random names can neither fill the disk nor make the server forget the failures of an account.
 */
export function deleteSurplusAttempts(db: Db, limit: number, most = MOST): number {
  const { count } = db.$client.query<{ count: number }, []>('SELECT count(*) AS count FROM attempts').get()!
  if (count <= most) return 0
  return db.$client
    .query<unknown, [{ limit: number }]>(
      `DELETE FROM attempts WHERE name IN
         (SELECT name FROM attempts ORDER BY lockedUntil > 0, knownUntil > 0, expiresAt LIMIT +$limit)`,
    )
    .run({ limit: Math.min(limit, count - most) }).changes
}

/** Forgets the failures of an account, whatever the address. @param until how long that must be remembered */
export function forgetAttempts(db: Db, name: string, now: Instant, until: Instant): void {
  if (!attemptsOf(db, name)) return
  saveAttempts(db, { name, failures: 0, at: now, lockedUntil: 0, knownUntil: 0, forgottenAt: now, expiresAt: until })
}
