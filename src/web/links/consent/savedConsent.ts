/**
 * What a device keeps of a consent that is not finished: the token of the session, and what the person entered. It is forgotten with the
 * end of the session. In person nothing is kept, and on a shared tablet only until the page is loaded again.
 */
import { smallStorage } from '#web/kit/storage/smallStorage'
import type { ConsentInput, Step } from './steps'

export type SavedConsent = {
  token: string
  expiresAt: string
  step?: Step | undefined
  work?: Partial<ConsentInput> | undefined
}

const PREFIX = 'consent '
const key = (): string => PREFIX + decodeURIComponent(location.pathname).toLowerCase()

function read(text: string | null): SavedConsent | undefined {
  try {
    const { token, expiresAt, step, work } = Object(JSON.parse(text ?? 'null'))
    return typeof token === 'string' && typeof expiresAt === 'string' ? { token, expiresAt, step, work } : undefined
  } catch {
    return undefined
  }
}

/** What this device keeps for this link. */
export const readSavedConsent = (): SavedConsent | undefined => read(smallStorage.getItem(key()))

/** A device that cannot keep anything goes on without. The drawing of a signature is never kept. */
export function saveConsent({ work, ...saved }: SavedConsent): void {
  const { strokes: _, ...entered } = work ?? {}
  try {
    smallStorage.setItem(key(), JSON.stringify({ ...saved, ...(work ? { work: entered } : {}) }))
  } catch {}
}

export const forgetConsent = (): void => smallStorage.removeItem(key())

/** Removes what is left of sessions that have ended, of any link. */
export function removeEndedConsents(now = Date.now()): void {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(PREFIX)) continue
    const saved = read(localStorage.getItem(name))
    if (!saved || Date.parse(saved.expiresAt) <= now) localStorage.removeItem(name)
  }
}
