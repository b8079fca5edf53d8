/** The session of a participant on this tablet, and how it ends. */
import { signal } from '@preact/signals'
import { emptyMemory } from '#web/app/device/database'
import { draftsWritten, readDrafts } from '#web/app/device/drafts'
import { readQueue } from '#web/app/device/queue'
import { askAs } from '#web/app/device/request'
import { begin, isOnline, person, signOut } from '#web/app/device/session'
import { current, knownTablet, readyEnvelopes, type Tablet } from '#web/app/device/shared/kept'
import { sealingFor } from '#web/app/device/shared/seal'
import { sealing } from '#web/app/device/tablet'
import { go } from '#web/app/route'
import type { Answer } from '#web/common/api'

export type Known = { secret: string; tablet: Tablet }

/** Which tablet this is; `undefined` until that was read. */
export const known = signal<Known | undefined>(undefined)

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
  const now = known.value ?? (await knownTablet())
  if (!now) return { isDone: false, status: 404, message: '', fields: {}, details: {} }
  const answer = await askAs<Session>('POST', `/shared-devices/${now.secret}/sessions`, { body })
  if (!answer.isDone) return answer
  const { token, pass, idleMinutes } = answer.body
  limits.idle = idleMinutes * 60_000
  limits.endsAt = Date.now() + LONGEST
  sealing.now = sealingFor(now.tablet, pass)
  const begun = await begin(token)
  if (!begun.isDone) sealing.now = current.session = undefined
  return begun
}

/** Milliseconds until changes of a form are being kept, with some to spare; that this may take; and that the server has to hear of the end. */
const [BEGUN, KEPT, HEARD] = [400, 10_000, 1_500]
const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

/** Loads the page again, if that succeeds: without a connection, a page that the device does not keep would be gone. */
export function beginAfresh(): boolean {
  const canLoad = isOnline.value || Boolean(navigator.serviceWorker?.controller)
  if (canLoad) location.replace('/app/')
  return canLoad
}

/** Resolves when the last change of each form is kept and sealed. */
async function sealedToTheLast(): Promise<void> {
  await after(BEGUN)
  await draftsWritten()
  await sealing.now?.settled()
}

/**
 * Ends the session. What waits stays sealed, and so do forms that were begun, unless they are dropped. The page is loaded again, so that
 * nothing of the person is in memory either.
 */
export async function end({ isDropped = false } = {}): Promise<void> {
  if (isEnding.value) return
  const now = person.value
  isEnding.value = true
  if (isDropped) await sealing.now?.dropDrafts()
  else await Promise.race([sealedToTheLast(), after(KEPT)])
  if (now) {
    const told = askAs('DELETE', '/participants/sessions', { as: now, signal: AbortSignal.timeout(HEARD) })
    await Promise.race([told, after(HEARD)])
  }
  if (beginAfresh()) return
  await signOut()
  emptyMemory()
  sealing.now = undefined
  current.session = undefined
  await Promise.all([readDrafts(), readQueue(), readyEnvelopes()])
  go('')
  isEnding.value = false
}
