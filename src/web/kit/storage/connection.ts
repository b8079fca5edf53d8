/** Connections to the databases of the device. */
import { type DBSchema, type IDBPDatabase, openDB, unwrap } from 'idb'

/** Whether the connection can be used: a system that closes it does not always say so. */
function isOpen<T extends DBSchema>(db: IDBPDatabase<T>): boolean {
  try {
    const plain = unwrap(db)
    plain.transaction(plain.objectStoreNames[0] ?? '').abort()
    return true
  } catch {
    return false
  }
}

/**
 * Connects to a database in its first version. The connection is opened again after that failed, and after the system closed it, as iOS
 * does in the background.
 * @param make makes the stores
 * @param onOpen called with each new connection
 */
export function createConnection<T extends DBSchema>(
  name: string,
  make: (db: IDBPDatabase<T>) => void,
  onOpen: (db: IDBDatabase) => void = () => {},
): () => Promise<IDBPDatabase<T>> {
  let opening: Promise<IDBPDatabase<T>> | undefined
  const forget = () => {
    opening = undefined
  }
  const open = async (): Promise<IDBPDatabase<T>> => {
    const db = await openDB<T>(name, 1, {
      upgrade: make,
      blocking(_now, _next, event) {
        forget()
        if (event.target instanceof IDBDatabase) event.target.close()
      },
      terminated: forget,
    })
    onOpen(unwrap(db))
    return db
  }
  return async () => {
    const first = opening
    const known = await first?.catch(() => undefined)
    if (known && isOpen(known)) return known
    // The first caller opens it; the others wait for the same connection.
    if (opening === first) opening = open()
    const db = await opening
    if (!db) throw new Error('The database cannot be opened.')
    return db
  }
}
