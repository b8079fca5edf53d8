/** The participant who is signed in on this device, for pages outside of the app. */
import { isTablet } from '#web/kit/storage/smallStorage'

/** Where the app keeps who is signed in. */
export const SIGNED_IN = { database: 'trialbox', store: 'own', key: 'person' } as const

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Headers with the credential of the participant who is signed in; none if nobody is. */
export async function ownHeaders(): Promise<Record<string, string>> {
  if (isTablet) return {}
  try {
    // Asking does not make the database: on the device of somebody else, nothing is left behind.
    const known = await indexedDB.databases()
    if (!known.some(({ name }) => name === SIGNED_IN.database)) return {}
    const { database, store, key } = SIGNED_IN
    const opened = await resultOf(indexedDB.open(database))
    const reading = opened.transaction(store).objectStore(store).get(key)
    const person: { token: string } | undefined = await resultOf(reading).finally(() => opened.close())
    return person ? { Authorization: `Bearer ${person.token}` } : {}
  } catch {
    // Without storage nobody is signed in.
    return {}
  }
}
