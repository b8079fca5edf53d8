/** What a shared tablet asks for itself, and how participants sign in on it (docs/shared-tablets.md). */
import type { Caller } from '#access/caller'
import { SHARED_SESSION } from '#access/identify'
import { appendEntry } from '#audit/append'
import { signInFailed } from '#conduct/participantSessions/rules'
import { startSession } from '#conduct/participantSessions/store'
import { useGrant } from '#conduct/participants/grantStore'
import { type ParticipantRow, participantById, participantByParticipantId } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { storeLastUse } from '#http/lastSeenStore'
import { operation, type RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import { type Id, newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { MINUTE } from '#kernel/time'
import type { ValueOf } from '#wire/schema'
import { DeviceSecret, DeviceSession, DeviceSignIn, OpenedDevice } from './model'
import { passOf } from './pass'
import { pinAttempts, pinMatches, renewedPin } from './pins'
import { stateOf } from './rules'
import { linkedTablet, tablet } from './scope'
import { changeDevice, type DeviceRow, deviceBySecret, endSessionsOn, isForDevice, pinOf, renewPin } from './store'
import { tabletView } from './views'

/** Wrong links and secrets that an address may try per minute. */
const WRONG_LINKS = 60

const openDevice = operation({
  id: 'openSharedDevice',
  method: 'POST',
  path: '/shared-device-links/:token',
  summary: 'Open a shared tablet by its link, which works once',
  description: 'A tablet that was opened by an earlier link of the same shared tablet ends.',
  who: 'anyone',
  scope: linkedTablet,
  needs: 'nothing',
  failures: WRONG_LINKS,
  logs: 'openSharedDevice',
  secret: true,
  returns: DeviceSecret,
  run: (context) => {
    const { db, trial, device, now, record } = context
    const secret = newSecret()
    endSessionsOn(db, device._id)
    const opened = { openedAt: now, lastSeenAt: now, secretHash: sha256(secret), linkHash: null, linkExpiresAt: null }
    record({ event: { sharedDevice: device._id } })
    return { secret, ...tabletView(context, trial, changeDevice(db, device._id, opened)) }
  },
})

const readDevice = operation({
  id: 'readOpenedSharedDevice',
  method: 'GET',
  path: '/shared-devices/:token',
  summary: 'Read what a shared tablet shows before anybody has signed in',
  description: '`token` is the secret of the tablet. It is answered after the end of the tablet, too: see `state`.',
  who: 'anyone',
  scope: tablet,
  needs: 'nothing',
  failures: WRONG_LINKS,
  returns: OpenedDevice,
  prepare: async ({ services, device, now }) => {
    if (now - (device.lastSeenAt ?? 0) >= MINUTE)
      await services.commit(() => storeLastUse(services.db, 'sharedDevices', device._id, now))
  },
  run: (context) => tabletView(context, context.trial, context.device),
})

type Body = ValueOf<typeof DeviceSignIn>

/** The participant of the trial with this ID who may use the device, if the PIN is theirs. It always compares, so that the response time reveals nothing. */
async function checkPin({ db, seal }: Services, device: DeviceRow, { participantId = '', pin = '' }: Body) {
  const known = participantByParticipantId(db, device.trial, participantId.trim())
  const hash = known && isForDevice(db, device, known._id) ? (pinOf(db, known._id)?.hash ?? null) : null
  const fits = await pinMatches(seal, known?._id ?? '', pin, hash)
  if (!fits || !known || hash === null) return undefined
  return { participant: known._id, hash, renewed: await renewedPin(seal, known._id, pin, hash) }
}

/** The participant who signs in; undefined if they may not. */
function participantForDevice(db: Db, device: DeviceRow, _id: Id | undefined): ParticipantRow | undefined {
  const participant = _id === undefined ? undefined : participantById(db, _id)
  const isTheirs = participant?.trial === device.trial && isForDevice(db, device, participant._id)
  return isTheirs && !participant.isArchived ? participant : undefined
}

/** The entry of a failed sign-in, in the trail of the trial of the device. */
function recordFailure(context: RequestContext<Caller, { token: Id }> & { body: Body }): void {
  const { db, now, client, params, body } = context
  const device = deviceBySecret(db, params.token)
  if (!device) return
  const known = participantByParticipantId(db, device.trial, (body.participantId ?? '').trim())
  const entry = { createdAt: now, type: 'identityNotProven', userType: 'system' as const, chain: device.trial }
  const event = { sharedDevice: device._id }
  if (known) appendEntry(db, { ...entry, participant: known._id, event, personal: { client } })
  else appendEntry(db, { ...entry, event, ...client })
}

const signIn = operation({
  id: 'signInOnSharedDevice',
  method: 'POST',
  path: '/shared-devices/:token/sessions',
  summary: 'Sign in as a participant on a shared tablet',
  description:
    'With ID and PIN, or with a sign-in link. Every failure gets the same 401. Five wrong PINs of a participant on a tablet are free, and fifteen on all tablets of the study; then they wait.',
  who: 'anyone',
  scope: tablet,
  needs: 'nothing',
  failures: WRONG_LINKS,
  logs: 'signInParticipant',
  attempts: ({ db, params, body: { grant, participantId = '' } }) => {
    if (grant !== undefined) return undefined
    const device = deviceBySecret(db, params.token)
    return pinAttempts(device?._id ?? sha256(params.token), device?.trial, participantId)
  },
  recordFailure,
  body: DeviceSignIn,
  secret: true,
  returns: DeviceSession,
  prepare: async ({ services, device, body }) => {
    if (body.grant !== undefined) return undefined
    if (body.participantId === undefined || body.pin === undefined)
      throw refuse.invalid({ participantId: [reason('pinOrGrant')] })
    return checkPin(services, device, body)
  },
  run: ({ db, services, trial, device, body, prepared, now, record }) => {
    const state = stateOf(device, now)
    if (state !== 'open') throw refuse.forbidden('tabletClosed', undefined, { code: state })
    const isProven = prepared && pinOf(db, prepared.participant)?.hash === prepared.hash
    if (isProven && prepared.renewed !== undefined) renewPin(db, prepared.participant, prepared.renewed)
    const _id = body.grant === undefined ? (isProven ? prepared.participant : undefined) : useGrant(db, body.grant, now)
    const participant = participantForDevice(db, device, _id)
    if (!participant) throw signInFailed()
    const { token, set } = startSession(db, trial, participant, now, device._id)
    storeLastUse(db, 'sharedDevices', device._id, now)
    const how = { by: body.grant === undefined ? 'pin' : 'grant', sharedDevice: device._id }
    record({ by: { participant: participant._id }, event: { ...how, ...set } })
    const pass = passOf(services.seal, { device: device._id, participant: participant._id, began: now })
    const endsAt = Math.min(now + SHARED_SESSION, device.expiresAt)
    return { token, endsAt, idleMinutes: device.idleMinutes, pass }
  },
})

export const tabletOperations = [openDevice, readDevice, signIn] as const
