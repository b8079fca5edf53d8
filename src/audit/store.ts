/** The rows of the audit trail, and what is kept of where its chains end. */
import type { Db, Sqlite } from '#db/open'
import type { auditEntries } from '#db/tables/index'

/** A stored entry, as the chain covers it: the event as the text that is hashed. */
export type ChainEntry = Omit<typeof auditEntries.$inferSelect, '_id' | 'event' | 'personal' | 'hash'> & {
  event: string
}

/** A stored entry with what stands beside the chain. */
export type LinkRow = ChainEntry & { hash: string; personal: string | null }

export type Newest = { number: number; hash: string }

/** The newest entry of a chain. */
export const newestOf = (db: Db, chain: string): Newest | null =>
  db.$client
    .query<Newest, [{ chain: string }]>(
      'SELECT number, hash FROM auditEntries WHERE chain = $chain ORDER BY number DESC LIMIT 1',
    )
    .get({ chain })

// SQL text: every write appends an entry, and the event is bound as the very text that is hashed.
const INSERT = `INSERT INTO auditEntries (chain, number, createdAt, type, userType, user, userEmail, apiToken, participant,
    event, address, device, personalHash, personal, hash)
  VALUES ($chain, $number, $createdAt, $type, $userType, $user, $userEmail, $apiToken, $participant,
    $event, $address, $device, $personalHash, $personal, $hash)`

export const insertEntry = (db: Db, entry: LinkRow) => db.$client.query<unknown, [LinkRow]>(INSERT).run(entry)

/** Every chain that has entries, or is said to have some. */
export const chainsOf = (sqlite: Sqlite): string[] =>
  sqlite
    .query<{ chain: string }, []>('SELECT chain FROM auditEntries UNION SELECT chain FROM auditHeads ORDER BY chain')
    .all()
    .map(({ chain }) => chain)

/** The next thousand entries of a chain after that number, oldest first. */
export const entriesAfter = (sqlite: Sqlite, chain: string, number: number): LinkRow[] =>
  sqlite
    .query<LinkRow, [{ chain: string; number: number }]>(
      'SELECT * FROM auditEntries WHERE chain = $chain AND number > $number ORDER BY number LIMIT 1000',
    )
    .all({ chain, number })

/** The last entry of a chain: how many it has, and its hash, which stands for all of them. */
export type Head = { chain: string; entries: number; hash: string }

export const headsOf = (sqlite: Sqlite): Head[] =>
  sqlite.query<Head, []>('SELECT chain, entries, hash FROM auditHeads ORDER BY chain').all()

/** A chain that is said to have gone with its trial, though no team's log says so or entries of it are there. */
export const untoldChain = (sqlite: Sqlite): string | undefined =>
  sqlite
    .query<{ chain: string }, []>(
      `SELECT chain FROM deletedChains d WHERE NOT EXISTS (SELECT 1 FROM auditEntries WHERE type = 'deleteTrial'
         AND event ->> 'trialId' = d.chain AND event ->> 'auditEntries' = d.number AND event ->> 'auditHash' = d.hash)
       OR EXISTS (SELECT 1 FROM auditEntries e WHERE e.chain = d.chain) LIMIT 1`,
    )
    .get()?.chain
