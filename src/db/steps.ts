/** Transactions of reads, which should be short. */
import type { Db } from './open'

/** Reads in one transaction, unless one is running. */
export const inStep = <T>({ $client: sqlite }: Db, read: () => T): T =>
  sqlite.inTransaction ? read() : sqlite.transaction(read)()

/** The same for reading that waits for other threads in between. */
export async function inLongStep<T>(db: Db, read: () => Promise<T>): Promise<T> {
  beginStep(db)
  try {
    return await read()
  } finally {
    endStep(db)
  }
}

/** Begins a transaction of reads, which should be short. */
export const beginStep = ({ $client }: Db) => $client.run('BEGIN')

export const endStep = ({ $client }: Db) => $client.inTransaction && $client.run('COMMIT')
