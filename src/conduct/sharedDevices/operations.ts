/** How staff make, change and end shared devices (docs/shared-tablets.md). */
import { scopeOf } from '#access/caller'
import { trial } from '#design/trials/scope'
import { anywhere, operation, type RequestContext } from '#http/operation'
import { type Id, newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, HOUR, instantText } from '#kernel/time'
import type { ValueOf } from '#wire/schema'
import { qrImage } from '#writers/qrCode'
import {
  NewSharedDevice,
  SharedDevice,
  SharedDeviceChange,
  SharedDeviceInput,
  SharedDeviceLink,
  SharedDevices,
} from './model'
import { sharedDevice, siteInTrial } from './scope'
import { changeDevice, devicesOf, endSessionsOn, insertDevice } from './store'
import { deviceView } from './views'

/** How long a link waits to be opened. */
const LINK_LIFETIME = 24 * HOUR

function newLink({ origin, now }: Pick<RequestContext, 'origin' | 'now'>, expiresAt: number) {
  const secret = newSecret()
  const url = `${origin}/app/tablet/${secret}`
  const linkExpiresAt = Math.min(now + LINK_LIFETIME, expiresAt)
  return { stored: { linkHash: sha256(secret), linkExpiresAt }, shown: { url, qr: qrImage(url), linkExpiresAt } }
}

type MakeContext = Pick<RequestContext, 'db' | 'now' | 'id' | 'origin'> & {
  trial: { _id: Id }
  caller: { user: { _id: Id } }
  body: ValueOf<typeof SharedDeviceInput>
}

function makeDevice(context: MakeContext, site: Id | null) {
  const { db, now, id, trial, caller, body } = context
  const { name, idleMinutes = 3, expiresInDays = 30 } = body
  const expiresAt = now + expiresInDays * DAY
  const { stored, shown } = newLink(context, expiresAt)
  const by = { createdAt: now, createdBy: caller.user._id }
  const row = { _id: id(), ...by, trial: trial._id, site, name, idleMinutes, expiresAt, ...stored }
  return { device: deviceView(insertDevice(db, row), now), shown }
}

const auditView = ({ _id, name, idleMinutes, expiresAt, site }: ReturnType<typeof deviceView>) => ({
  sharedDevice: _id,
  name,
  site,
  idleMinutes,
  expiresAt: instantText(expiresAt),
})

const createForSite = operation({
  id: 'createSharedDevice',
  method: 'POST',
  path: '/trials/:trialId/sites/:siteId/shared-devices',
  summary: 'Make a tablet that the participants of a site share',
  description: 'Open `url` on the tablet within a day; it works once.',
  scope: siteInTrial,
  needs: 'trial.write',
  logs: 'createSharedDevice',
  body: SharedDeviceInput,
  secret: true,
  returns: NewSharedDevice,
  run: (context) => {
    const { device, shown } = makeDevice(context, context.site._id)
    context.record({ event: auditView(device) })
    return { ...device, ...shown }
  },
})

const createForTrial = operation({
  id: 'createSharedDeviceOfTrial',
  method: 'POST',
  path: '/trials/:trialId/shared-devices',
  summary: 'Make a tablet that all participants of a trial share',
  description:
    'For trials without sites, and for central visits. Open `url` on the tablet within a day; it works once.',
  scope: trial,
  needs: 'trial.write',
  logs: 'createSharedDevice',
  body: SharedDeviceInput,
  secret: true,
  returns: NewSharedDevice,
  run: (context) => {
    const { device, shown } = makeDevice(context, null)
    context.record({ event: auditView(device) })
    return { ...device, ...shown }
  },
})

const listDevices = operation({
  id: 'listSharedDevices',
  method: 'GET',
  path: '/trials/:trialId/shared-devices',
  summary: 'List the shared tablets of a trial',
  description: 'Newest first, at most 1000, also those that have ended.',
  scope: trial,
  needs: anywhere('trial.write'),
  returns: SharedDevices,
  run: ({ db, trial, access, now }) => ({
    sharedDevices: devicesOf(db, trial._id, scopeOf(access, ['write'])).map((device) => deviceView(device, now)),
  }),
})

const readDevice = operation({
  id: 'readSharedDevice',
  method: 'GET',
  path: '/trials/:trialId/shared-devices/:sharedDeviceId',
  summary: 'Read a shared tablet',
  scope: sharedDevice,
  needs: 'trial.write',
  returns: SharedDevice,
  run: ({ device, now }) => deviceView(device, now),
})

const updateDevice = operation({
  id: 'updateSharedDevice',
  method: 'PUT',
  path: '/trials/:trialId/shared-devices/:sharedDeviceId',
  summary: 'Change a shared tablet',
  description: '`expiresInDays` counts from now.',
  scope: sharedDevice,
  needs: 'trial.write',
  logs: 'updateSharedDevice',
  body: SharedDeviceChange,
  returns: SharedDevice,
  run: ({ db, device, body, now, record }) => {
    if (device.endedAt !== null) throw refuse.bad('tabletEnded')
    const { expiresInDays, ...fields } = body
    const expiry = expiresInDays === undefined ? {} : { expiresAt: now + expiresInDays * DAY }
    const after = deviceView(changeDevice(db, device._id, { ...fields, ...expiry }), now)
    record({ event: auditView(after) })
    return after
  },
})

const createLink = operation({
  id: 'createSharedDeviceLink',
  method: 'POST',
  path: '/trials/:trialId/shared-devices/:sharedDeviceId/links',
  summary: 'Make a new link for a shared tablet',
  description:
    'For another tablet, or one that was erased. The tablet that has been used until now works until the link is opened.',
  scope: sharedDevice,
  needs: 'trial.write',
  logs: 'createSharedDeviceLink',
  secret: true,
  returns: SharedDeviceLink,
  run: (context) => {
    const { db, device, now } = context
    if (device.endedAt !== null || device.expiresAt <= now) throw refuse.bad('tabletOver')
    const { stored, shown } = newLink(context, device.expiresAt)
    changeDevice(db, device._id, stored)
    context.record({ event: { sharedDevice: device._id } })
    return shown
  },
})

const endDevice = operation({
  id: 'endSharedDevice',
  method: 'DELETE',
  path: '/trials/:trialId/shared-devices/:sharedDeviceId',
  summary: 'End a shared tablet',
  description:
    'Signing in on it is not possible any more, and a participant who is signed in is signed out. Answers that wait on it can still be sent.',
  scope: sharedDevice,
  needs: 'trial.write',
  logs: 'endSharedDevice',
  returns: SharedDevice,
  run: ({ db, device, caller, now, record }) => {
    if (device.endedAt !== null) throw refuse.bad('tabletEndedAlready')
    endSessionsOn(db, device._id)
    const end = { endedAt: now, endedBy: caller.user._id, linkHash: null, linkExpiresAt: null }
    record({ event: { sharedDevice: device._id } })
    return deviceView(changeDevice(db, device._id, end), now)
  },
})

export const sharedDeviceOperations = [
  createForSite,
  createForTrial,
  listDevices,
  readDevice,
  updateDevice,
  createLink,
  endDevice,
] as const
