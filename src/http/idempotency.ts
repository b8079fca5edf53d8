/**
 * Stores the responses to writes with an Idempotency-Key, and returns the stored response if a client repeats the write
 * (docs/contract.md, "Repeating a write").
 */
import type { Db } from '#db/open'
import { insert, rowWhere } from '#db/rows'
import { idempotencyKeys } from '#db/tables/index'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

/**
 * A write of an account with an Idempotency-Key. `digest` is a hash of the request, which differs for another write with the
 * same key. `permissions` is a hash of the caller's permissions in the scope of the write.
 */
export type IdempotentWrite = { account: string; key: string; digest: string; permissions: string }

const requestText = ({ digest, permissions }: IdempotentWrite) => `${digest} ${permissions}`

/** A stored response: its body, and the headers that the operation added. */
export type StoredResponse = { result: unknown; headers: Record<string, string> }

/**
 * Returns the stored response if the same write was made before; undefined if it was not.
 * @throws 400 if the key was used for another write; 403 if the caller's permissions have changed since, because the response
 * may hold data that is now hidden from the caller
 */
export function storedResponse(db: Db, repeat: IdempotentWrite): StoredResponse | undefined {
  const { account, key, digest } = repeat
  const row = rowWhere(db, idempotencyKeys, { caller: account, key })
  if (!row) return undefined
  if (!row.request.startsWith(`${digest} `)) throw refuse.bad('This Idempotency-Key was used for another request.')
  if (row.request !== requestText(repeat)) {
    throw refuse.forbidden('This was done before, and your permissions have changed since: read the result instead.')
  }
  return JSON.parse(row.answer)
}

/** Stores the response to a write, in the transaction of the write. */
export const storeResponse = (db: Db, repeat: IdempotentWrite, response: StoredResponse, now: Instant) =>
  insert(db, idempotencyKeys, {
    caller: repeat.account,
    key: repeat.key,
    request: requestText(repeat),
    answer: JSON.stringify(response),
    createdAt: now,
  })
