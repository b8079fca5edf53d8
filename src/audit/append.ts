/**
 * The audit trail: append-only. The hash of each entry covers the hash of the entry before it in its chain
 * (docs/decisions.md, "The audit trail").
 */
import { transactionCache } from '#db/commit'
import type { Db } from '#db/open'
import { newSecret, sha256 } from '#kernel/id'
import { storedJson } from '#kernel/text'
import type { Instant } from '#kernel/time'
import { takeChanges } from './rowChanges'
import { type ChainEntry, type ChainRow, insertEntry, type NewestEntry, newestChainEntry } from './store'

/** The content of an entry. `chain` is the trial's `_id`, else the team's, else `service`. */
export type EntryContent = {
  chain: string
  createdAt: Instant
  type: string
  userType: 'user' | 'participant' | 'system'
  user?: string | null
  userEmail?: string | null
  apiToken?: string | null
  participant?: string | null
  event: Record<string, unknown>
  /** Personal information of a participant, stored separately from the event. */
  personal?: Record<string, unknown>
  address?: string | null
  device?: string | null
}

/** All fields of an entry, in the order in which they are hashed. */
const fieldsOf = (link: ChainEntry) => [
  link.chain,
  link.number,
  link.createdAt,
  link.type,
  link.userType,
  link.user,
  link.userEmail,
  link.apiToken,
  link.participant,
  link.event,
  link.address,
  link.device,
  link.personalHash,
  link.rows,
]

/** The hash of an entry: it covers the hash of the previous entry and all fields of this one. */
export const entryHash = (previous: string, link: ChainEntry): string =>
  sha256(storedJson([previous, ...fieldsOf(link)]))

/** The hash that the first entry of a chain has as the previous one. */
export const chainStart = (chain: string): string => sha256(`trialbox audit chain ${chain}`)

/**
 * Appends an entry, in the transaction of the act itself.
 * @param rows digests of the rows that the act changed, as `takeChanges` returns them
 */
export function appendEntry(db: Db, content: EntryContent, rows = takeChanges(db, content.chain)): void {
  const { chain } = content
  const cache = transactionCache(db)
  const cacheKey = `newest entry of ${chain}`
  const newest = (cache?.get(cacheKey) as NewestEntry | undefined) ?? newestChainEntry(db, chain)
  // With the salt, a short text such as a name cannot be found by hashing guesses: the chain keeps the hash after an erasure.
  const personal = content.personal ? JSON.stringify({ salt: newSecret(), content: content.personal }) : null
  const row: ChainRow = {
    chain,
    number: (newest?.number ?? 0) + 1,
    createdAt: content.createdAt,
    type: content.type,
    userType: content.userType,
    user: content.user ?? null,
    userEmail: content.userEmail ?? null,
    apiToken: content.apiToken ?? null,
    participant: content.participant ?? null,
    event: JSON.stringify(content.event),
    address: content.address ?? null,
    device: content.device ?? null,
    personalHash: personal === null ? null : sha256(personal),
    rows,
    personal,
    hash: '',
  }
  row.hash = entryHash(newest?.hash ?? chainStart(chain), row)
  insertEntry(db, row)
  cache?.set(cacheKey, { number: row.number, hash: row.hash })
}

/**
 * Appends an entry to the service's chain that covers the rows that no other entry of the act covers, such as rows that background
 * tasks change. Without such rows it appends nothing. Call it after each act of a transaction: an entry of the next act may be of
 * another trial, and is deleted with that.
 */
export function recordRemainingChanges(db: Db, now: Instant): void {
  const rows = takeChanges(db, 'service')
  if (rows)
    appendEntry(db, { chain: 'service', createdAt: now, type: 'changeRows', userType: 'system', event: {} }, rows)
}
