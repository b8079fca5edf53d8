import type { Db } from './open'

/**
 * Overwrites with zeros what the function deletes, on pages of the file that become free too: they would keep it until they are
 * used again. Elsewhere only what is deleted on pages that stay in use is overwritten, since that needs no more writing.
 */
export function withSecureDelete<T>({ $client: sqlite }: Pick<Db, '$client'>, erase: () => T): T {
  const before = sqlite.query<{ secure_delete: number }, []>('PRAGMA secure_delete').get()?.secure_delete
  sqlite.run('PRAGMA secure_delete = ON')
  try {
    return erase()
  } finally {
    sqlite.run(`PRAGMA secure_delete = ${before === 1 ? 'ON' : 'FAST'}`) // it may be part of a larger one
  }
}
