/**
 * What a device keeps of a consent that is not finished: the token of the session, and what the person entered. It is forgotten with the
 * end of the session. In person nothing is kept, and on a shared tablet only until the page is loaded again.
 */
import { small } from '#web/app/device/tablet'
import type { Step, Work } from './steps'

export type Kept = { token: string; expiresAt: string; step?: Step | undefined; work?: Partial<Work> | undefined }

const PREFIX = 'consent '
const key = (): string => PREFIX + decodeURIComponent(location.pathname).toLowerCase()

function read(text: string | null): Kept | undefined {
  try {
    const { token, expiresAt, step, work } = Object(JSON.parse(text ?? 'null'))
    return typeof token === 'string' && typeof expiresAt === 'string' ? { token, expiresAt, step, work } : undefined
  } catch {
    return undefined
  }
}

/** What this device keeps for this link. */
export const keptConsent = (): Kept | undefined => read(small.getItem(key()))

/** A device that cannot keep anything goes on without. The drawing of a signature is never kept. */
export function keepConsent({ work, ...kept }: Kept): void {
  const { strokes: _, ...entered } = work ?? {}
  try {
    small.setItem(key(), JSON.stringify({ ...kept, ...(work ? { work: entered } : {}) }))
  } catch {}
}

export const forgetConsent = (): void => small.removeItem(key())

/** Removes what is left of sessions that have ended, of any link. */
export function forgetEnded(now = Date.now()): void {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(PREFIX)) continue
    const kept = read(localStorage.getItem(name))
    if (!kept || Date.parse(kept.expiresAt) <= now) localStorage.removeItem(name)
  }
}
