/** Transactions of reads, which should be short. */
import type { Db } from './open'

/** Reads in one transaction, unless one is running. */
export const inReadTransaction = <T>({ $client: sqlite }: Db, read: () => T): T =>
  sqlite.inTransaction ? read() : sqlite.transaction(read)()

/** The same for reading that waits for other threads in between. */
export async function inLongReadTransaction<T>(db: Db, read: () => Promise<T>): Promise<T> {
  beginReadTransaction(db)
  try {
    return await read()
  } finally {
    endReadTransaction(db)
  }
}

/** Begins a transaction of reads, which should be short. */
export const beginReadTransaction = ({ $client }: Db) => $client.run('BEGIN')

export const endReadTransaction = ({ $client }: Db) => $client.inTransaction && $client.run('COMMIT')
