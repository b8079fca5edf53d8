/** The database of the app on the device: what the server said, what is not sent yet, and files of answers. */
import type { DBSchema, IDBPDatabase } from 'idb'
import type { Address } from '#web/form/answers/sendFile'
import { createConnection } from '#web/kit/storage/connection'
import { DATABASE, isTablet, OWN } from '#web/kit/storage/smallStorage'
import type { Draft, Entry, Person } from './model'
import { trackTransactions } from './transactions'

/**
 * The bytes of an answer that is a file. `draft` or `entry` says whose answer it is; `begun` is where a large one goes, and
 * `storedName` is set when it is uploaded.
 */
export type KeptBlob = {
  id: string
  who: string
  draft?: string
  entry?: string
  bytes: Blob
  name: string
  begun?: Address
  storedName?: string
}

/** What the server answered to a request of a person. */
export type Copy = { who: string; path: string; value: unknown; at: string; etag?: string }

/** An entry with its place in the order of sending. */
export type QueuedEntry = Entry & { number: number }

export interface DeviceSchema extends DBSchema {
  own: { key: 'person'; value: Person }
  copies: { key: [who: string, path: string]; value: Copy }
  drafts: { key: [who: string, occurrence: string]; value: Draft }
  queue: {
    key: number
    value: Omit<QueuedEntry, 'number'> & { number?: number }
    indexes: { byId: string; byWho: string }
  }
  blobs: { key: string; value: KeptBlob; indexes: { byEntry: string; byDraft: [who: string, draft: string] } }
}

export type Database = IDBPDatabase<DeviceSchema>

const connection = createConnection<DeviceSchema>(
  DATABASE,
  (db) => {
    db.createObjectStore(OWN)
    db.createObjectStore('copies', { keyPath: ['who', 'path'] })
    db.createObjectStore('drafts', { keyPath: ['who', 'occurrence'] })
    const queue = db.createObjectStore('queue', { keyPath: 'number', autoIncrement: true })
    queue.createIndex('byId', 'id', { unique: true })
    queue.createIndex('byWho', 'who')
    const blobs = db.createObjectStore('blobs', { keyPath: 'id' })
    blobs.createIndex('byEntry', 'entry')
    blobs.createIndex('byDraft', ['who', 'draft'])
  },
  trackTransactions,
)

/** That of a shared tablet, where nothing of a person is kept. */
let memory: Promise<Database> | undefined

/** Forgets all that a shared tablet has in memory. */
export function clearMemory(): void {
  memory = undefined
}

/** The database of the device; on a shared tablet that of the memory. */
export async function database(): Promise<Database> {
  if (isTablet)
    return (memory ??= import('#web/participant/device/shared/memory').then(({ memoryDatabase }) =>
      memoryDatabase<Database>(),
    ))
  return connection()
}

/** All records of a store. One that cannot be read does not hide the others; it stays where it is. */
export async function readRecords<Name extends 'drafts' | 'queue'>(
  name: Name,
  range?: IDBKeyRange,
): Promise<DeviceSchema[Name]['value'][]> {
  const opened = await database()
  try {
    return await opened.getAll(name, range)
  } catch {
    const keys = await opened.getAllKeys(name, range)
    const found = await Promise.all(keys.map((key) => opened.get(name, key).catch(() => undefined)))
    return found.flatMap((each) => each ?? [])
  }
}

/** Everything of a person in a store or index whose keys begin with `who`. */
export const personRange = (who: string): IDBKeyRange => IDBKeyRange.bound([who], [who, []])

/** Removes what the server said to a person. Drafts stay. */
export const dropCopies = async (who: string): Promise<void> => (await database()).delete('copies', personRange(who))

/** Whether a write failed because the device has no room for it. */
export const isQuotaExceeded = (cause: unknown): boolean =>
  cause instanceof DOMException && cause.name === 'QuotaExceededError'

/** Writes survive a crash of the device, not only of the browser. */
export const STRICT = { durability: 'strict' } as const
