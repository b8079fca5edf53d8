/**
 * Answers to writes that carried an Idempotency-Key, given again when the same write is repeated (docs/contract.md,
 * "Repeating a write").
 */
import type { Db } from '#db/open'
import { insert, rowWhere } from '#db/rows'
import { repeats } from '#db/tables/index'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

/**
 * One write of an account. `digest` tells it from another with the same key; `sight` is what the caller holds where it
 * is done.
 */
export type Repeat = { account: string; key: string; digest: string; sight: string }

const marked = ({ digest, sight }: Repeat) => `${digest} ${sight}`

/** An answer with the headers of its own. */
export type Kept = { result: unknown; headers: Record<string, string> }

/**
 * The first answer, where the same write was made before; undefined where it was not.
 * @throws 400 for another write, 403 where the caller's permissions are others now: the answer may hold what is hidden since
 */
export function answeredBefore(db: Db, repeat: Repeat): Kept | undefined {
  const { account, key, digest } = repeat
  const row = rowWhere(db, repeats, { caller: account, key })
  if (!row) return undefined
  if (!row.request.startsWith(`${digest} `)) throw refuse.bad('This Idempotency-Key was used for another request.')
  if (row.request !== marked(repeat)) {
    throw refuse.forbidden(
      'This was done before, and your permissions have changed since: read what came of it instead.',
    )
  }
  return JSON.parse(row.answer)
}

export const keepAnswer = (db: Db, repeat: Repeat, answer: Kept, now: Instant) =>
  insert(db, repeats, {
    caller: repeat.account,
    key: repeat.key,
    request: marked(repeat),
    answer: JSON.stringify(answer),
    createdAt: now,
  })
