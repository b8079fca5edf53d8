/** Who is signed in on this device, as every tab and the service worker find it there. */
import { database } from './database'
import { currentPerson, sessionEnded } from './request'

/** Reads from the device who is signed in. Another session than before has not ended. */
export async function readPerson(): Promise<void> {
  const now = await (await database()).get('own', 'person')
  if (now?.token === currentPerson.value?.token) return
  sessionEnded.value = false
  currentPerson.value = now
}
