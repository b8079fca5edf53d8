/** The session of a participant on this tablet, and how it ends. */
import { signal } from '@preact/signals'
import type { Answer } from '#web/kit/api/send'
import { clearMemory } from '#web/participant/device/database'
import { readDrafts, whenDraftsWritten } from '#web/participant/device/drafts'
import { readQueue } from '#web/participant/device/queue'
import { askAs } from '#web/participant/device/request'
import { isOnline, person, signOut, startSession } from '#web/participant/device/session'
import { createSealedStore } from '#web/participant/device/shared/sealedStore'
import { readTablet, readyEnvelopes, sealingSession, type Tablet } from '#web/participant/device/shared/tabletDatabase'
import { sealedStore } from '#web/participant/device/tablet'
import { go } from '#web/participant/route'

export type KnownTablet = { secret: string; tablet: Tablet }

/** Which tablet this is; `undefined` until that was read. */
export const currentTablet = signal<KnownTablet | undefined>(undefined)

/** Whether the session is ending: nothing of the person is shown any more. */
export const isEnding = signal(false)

/** Milliseconds of the longest session; the server ends it, too. */
const LONGEST = 2 * 60 * 60_000

/** When the session ends however much the tablet is used, and after how much time without use. */
export const limits = { endsAt: 0, idle: 3 * 60_000 }

type Session = { token: string; pass: string; idleMinutes: number }
type Credentials = { participantId: string; pin: string } | { grant: string }

/** Signs a participant in, with ID and PIN or with a link of the study team. */
export async function signIn(body: Credentials): Promise<Answer<unknown>> {
  const now = currentTablet.value ?? (await readTablet())
  if (!now) return { isDone: false, status: 404, message: '', fields: {}, details: {} }
  const answer = await askAs<Session>('POST', `/shared-devices/${now.secret}/sessions`, { body })
  if (!answer.isDone) return answer
  const { token, pass, idleMinutes } = answer.body
  limits.idle = idleMinutes * 60_000
  limits.endsAt = Date.now() + LONGEST
  sealedStore.now = createSealedStore(now.tablet, pass)
  const session = await startSession(token)
  if (!session.isDone) sealedStore.now = sealingSession.session = undefined
  return session
}

/** Milliseconds until changes of a form are being kept, with some to spare; that this may take; and that the server has to hear of the end. */
const [WRITE_DELAY, SEAL_TIMEOUT, SIGN_OUT_TIMEOUT] = [400, 10_000, 1_500]
const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Loads the page again, if that succeeds: without a connection, a page that the device does not keep would be gone. */
export function reloadApp(): boolean {
  const canLoad = isOnline.value || Boolean(navigator.serviceWorker?.controller)
  if (canLoad) location.replace('/app/')
  return canLoad
}

/** Resolves when the last change of each form is kept and sealed. */
async function sealDrafts(): Promise<void> {
  await after(WRITE_DELAY)
  await whenDraftsWritten()
  await sealedStore.now?.whenSealed()
}

/**
 * Ends the session. What waits stays sealed, and so do forms that were begun, unless they are dropped. The page is loaded again, so that
 * nothing of the person is in memory either.
 */
export async function endSession({ isDropped = false } = {}): Promise<void> {
  if (isEnding.value) return
  const now = person.value
  isEnding.value = true
  if (isDropped) await sealedStore.now?.dropDrafts()
  else await Promise.race([sealDrafts(), after(SEAL_TIMEOUT)])
  if (now) {
    const signOutRequest = askAs('DELETE', '/participants/sessions', {
      as: now,
      signal: AbortSignal.timeout(SIGN_OUT_TIMEOUT),
    })
    await Promise.race([signOutRequest, after(SIGN_OUT_TIMEOUT)])
  }
  if (reloadApp()) return
  await signOut()
  clearMemory()
  sealedStore.now = undefined
  sealingSession.session = undefined
  await Promise.all([readDrafts(), readQueue(), readyEnvelopes()])
  go('')
  isEnding.value = false
}
