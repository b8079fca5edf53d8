/** The rows of the audit trail: entries, the heads of chains, and the chains that were deleted. */
import type { Db, Sqlite } from '#db/open'
import type { auditEntries } from '#db/tables/index'
import type { Instant } from '#kernel/time'

/** A stored entry, as the chain covers it: the event as the text that is hashed. */
export type ChainEntry = Omit<typeof auditEntries.$inferSelect, '_id' | 'event' | 'personal' | 'hash'> & {
  event: string
}

/** A stored entry with its hash, and with the personal information, which the chain covers only by its hash. */
export type ChainRow = ChainEntry & { hash: string; personal: string | null }

export type NewestEntry = { number: number; hash: string }

/** The newest entry of a chain, as its head says; null if it has none. */
export const newestChainEntry = (db: Db, chain: string): NewestEntry | null =>
  db.$client
    .query<NewestEntry, [{ chain: string }]>('SELECT entries AS number, hash FROM auditHeads WHERE chain = $chain')
    .get({ chain })

/** How many entries may have been written while a clock was ahead, before it was put right. */
const AHEAD = 100

/** The earliest time of an entry and of those that follow it: what was written with a clock that was ahead does not count as late. */
const timeFrom = (db: Db, chain: string, number: number): Instant =>
  db.$client
    .query<{ at: Instant }, [{ chain: string; number: number }]>(
      `SELECT min(createdAt) AS at FROM auditEntries
       WHERE chain = +$chain AND number >= +$number AND number < +$number + ${AHEAD}`,
    )
    .get({ chain, number })!.at

/** The number of the last entry of a chain before that moment; 0 if there is none. */
export function numberBefore(db: Db, chain: string, moment: Instant): number {
  let [first, last] = [0, newestChainEntry(db, chain)?.number ?? 0]
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if (timeFrom(db, chain, middle) < moment) first = middle
    else last = middle - 1
  }
  return first
}

/** The columns of a `ChainRow`. */
const ROW_COLUMNS = `chain, number, createdAt, type, userType, user, userEmail, apiToken, participant, event, address, device, personalHash,
  rows, personal, hash`

// SQL text, since every write appends an entry, and since the stored event must be exactly the text that is hashed.
const INSERT = `INSERT INTO auditEntries (chain, number, createdAt, type, userType, user, userEmail, apiToken, participant,
    event, address, device, personalHash, rows, personal, hash)
  VALUES ($chain, $number, $createdAt, $type, $userType, $user, $userEmail, $apiToken, $participant,
    $event, $address, $device, $personalHash, $rows, $personal, $hash)`

export const insertEntry = (db: Db, entry: ChainRow) => db.$client.query<unknown, [ChainRow]>(INSERT).run(entry)

/** Erases the personal information of a participant from all entries; the chain stays valid. */
export const erasePersonal = (db: Db, participant: string) =>
  db.$client
    .query<unknown, [{ participant: string }]>(
      'UPDATE auditEntries SET personal = NULL WHERE participant = $participant AND personal IS NOT NULL',
    )
    .run({ participant })

/** The types of entries that hold the new digests of what they erased, as a list in SQL. */
export const ERASURES = `'erasePersonalInformation', 'eraseConsent'`

/** Whether the trail has the deletion of the participant. The condition with LIKE is that of the index of deletions. */
export const wasDeleted = (db: Db, participant: string): boolean =>
  db.$client
    .query<unknown, [{ participant: string }]>(
      `SELECT 1 FROM auditEntries WHERE participant = $participant AND type LIKE 'delete%' AND type = 'deleteParticipant'`,
    )
    .get({ participant }) !== null

/** Every chain that has entries, or a head that says that it has. */
export const chainsOf = (sqlite: Sqlite): string[] =>
  sqlite
    .query<{ chain: string }, []>('SELECT chain FROM auditEntries UNION SELECT chain FROM auditHeads ORDER BY chain')
    .all()
    .map(({ chain }) => chain)

/** Whether a chain is that of a trial that exists. */
export const isTrial = ({ $client: sqlite }: Pick<Db, '$client'>, chain: string): boolean =>
  sqlite.query<unknown, [{ chain: string }]>('SELECT 1 FROM trials WHERE _id = $chain').get({ chain }) !== null

/** The next thousand entries of a chain after that number, oldest first. */
export const entriesAfter = (sqlite: Sqlite, chain: string, number: number): ChainRow[] =>
  sqlite
    .query<ChainRow, [{ chain: string; number: number }]>(
      `SELECT ${ROW_COLUMNS} FROM auditEntries WHERE chain = $chain AND number > $number ORDER BY number LIMIT 1000`,
    )
    .all({ chain, number })

/** The last entry of a chain: how many it has, and its hash, which stands for all of them. */
export type Head = { chain: string; entries: number; hash: string }

export const headsOf = (sqlite: Sqlite): Head[] =>
  sqlite.query<Head, []>('SELECT chain, entries, hash FROM auditHeads ORDER BY chain').all()

/** The last entry of a chain; undefined if it has none. */
export const headOf = ({ $client: sqlite }: Pick<Db, '$client'>, chain: string): Head | undefined =>
  sqlite
    .query<Head, [{ chain: string }]>('SELECT chain, entries, hash FROM auditHeads WHERE chain = $chain')
    .get({ chain }) ?? undefined

/** The hash of an entry; undefined if there is none with this number. */
export const hashOfEntry = (sqlite: Sqlite, chain: string, number: number): string | undefined =>
  sqlite
    .query<{ hash: string }, [{ chain: string; number: number }]>(
      'SELECT hash FROM auditEntries WHERE chain = $chain AND number = $number',
    )
    .get({ chain, number })?.hash

/**
 * A chain that is marked as deleted with its trial, although no entry of its team records that, or entries of it remain and nothing
 * purges them.
 * Undefined if there is none.
 */
export const findWronglyDeletedChain = (sqlite: Sqlite): string | undefined =>
  sqlite
    .query<{ chain: string }, []>(
      `SELECT chain FROM deletedChains d WHERE NOT EXISTS (SELECT 1 FROM auditEntries WHERE type IN ('deleteTrial', 'purgeDeletion')
         AND event ->> 'trialId' = d.chain AND event ->> 'auditEntries' = d.number AND event ->> 'auditHash' = d.hash)
       OR (EXISTS (SELECT 1 FROM auditEntries e WHERE e.chain = d.chain)
         AND NOT EXISTS (SELECT 1 FROM deletions WHERE subject = d.chain AND status = 'purging')) LIMIT 1`,
    )
    .get()?.chain
