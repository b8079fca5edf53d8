/** The code of the study and the ID with which somebody signed in on this device, so that only the password is asked for again. */
import { smallStorage } from '#web/kit/storage/smallStorage'

const KEY = 'signIn'

export type SavedCredentials = { trialCode: string; participantId: string }

export function readCredentials(): SavedCredentials | undefined {
  try {
    const { trialCode, participantId } = JSON.parse(smallStorage.getItem(KEY) ?? '{}')
    return typeof trialCode === 'string' && typeof participantId === 'string' ? { trialCode, participantId } : undefined
  } catch {
    return undefined
  }
}

export const rememberCredentials = (known: SavedCredentials): void => smallStorage.setItem(KEY, JSON.stringify(known))
export const forgetCredentials = (): void => smallStorage.removeItem(KEY)
