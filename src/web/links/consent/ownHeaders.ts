/** Who signs in the app on this device signs as themselves: a new consent is theirs at once, without a code. */

/** The credential of the participant who is signed in on this device; empty if there is none. */
export async function ownHeaders(): Promise<Record<string, string>> {
  try {
    // Asking does not make the database: on the device of somebody else, nothing is left behind.
    const known = await indexedDB.databases()
    if (!known.some(({ name }) => name === 'trialbox')) return {}
    const { database } = await import('#web/participant/device/database')
    const person = await (await database()).get('own', 'person')
    return person ? { Authorization: `Bearer ${person.token}` } : {}
  } catch {
    // Without storage nobody is signed in.
    return {}
  }
}
