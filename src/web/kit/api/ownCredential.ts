/** The participant who is signed in on this device, for pages outside of the app. */
import { DATABASE, isTablet, OWN, PERSON } from '#web/kit/storage/smallStorage'

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
    if (!known.some(({ name }) => name === DATABASE)) return {}
    const opened = await resultOf(indexedDB.open(DATABASE))
    const reading = opened.transaction(OWN).objectStore(OWN).get(PERSON)
    const person: { token: string } | undefined = await resultOf(reading).finally(() => opened.close())
    return person ? { Authorization: `Bearer ${person.token}` } : {}
  } catch {
    // Without storage nobody is signed in.
    return {}
  }
}
