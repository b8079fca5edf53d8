/** Answers to writes that carried an Idempotency-Key, given again when the same write is repeated (decisions 7). */
import type { Db } from '../db/open'
import { refuse } from '../kernel/problem'
import type { Instant } from '../kernel/time'

/** One write of an account. `digest` tells it from another with the same key. */
export type Repeat = { account: string; key: string; digest: string }

/** The first answer, where the same write was made before; undefined where it was not. @throws 400 for another write */
export function answeredBefore(db: Db, { account, key, digest }: Repeat): unknown {
  const row = db.$client
    .query<{ request: string; answer: string }, [string, string]>(
      'SELECT request, answer FROM repeats WHERE caller = ? AND key = ?',
    )
    .get(account, key)
  if (!row) return undefined
  if (row.request !== digest) throw refuse.bad('This Idempotency-Key was used for another request.')
  return JSON.parse(row.answer)
}

export const keepAnswer = (db: Db, { account, key, digest }: Repeat, answer: unknown, now: Instant) =>
  db.$client
    .query('INSERT INTO repeats (caller, key, request, answer, createdAt) VALUES (?, ?, ?, ?, ?)')
    .run(account, key, digest, JSON.stringify(answer), now)
