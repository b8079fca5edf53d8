/** What is on a device, in one look, past the app. */
import type { QueuedEntry } from '#web/participant/device/database'
import type { Draft, Person } from '#web/participant/device/model'
import type { Machine } from './machine'

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

const NAMES = ['own', 'drafts', 'queue', 'blobs', 'copies'] as const

export type DeviceContent = {
  own: Person | undefined
  drafts: Draft[]
  queue: QueuedEntry[]
  blobs: { who: string; draft?: string; entry?: string }[]
  copies: { who: string; path: string }[]
}

/** Only after a tab has made the database. */
export async function readDevice({ idb }: Machine): Promise<DeviceContent> {
  const db = await done(idb.open('trialbox'))
  try {
    const transaction = db.transaction([...NAMES])
    const [own = [], drafts = [], queue = [], blobs = [], copies = []] = await Promise.all(
      NAMES.map((name) => done(transaction.objectStore(name).getAll())),
    )
    return { own: own[0], drafts, queue, blobs, copies }
  } finally {
    db.close()
  }
}
