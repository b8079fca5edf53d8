/** The code of the study and the ID with which somebody signed in on this device, so that only the password is asked for again. */
const KEY = 'signIn'

export type Known = { trialCode: string; participantId: string }

export function knownCredentials(): Known | undefined {
  try {
    const { trialCode, participantId } = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof trialCode === 'string' && typeof participantId === 'string' ? { trialCode, participantId } : undefined
  } catch {
    return undefined
  }
}

export const rememberCredentials = (known: Known): void => localStorage.setItem(KEY, JSON.stringify(known))
export const forgetCredentials = (): void => localStorage.removeItem(KEY)
