import { type Access, type Caller, noPlaces, type Places } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { sharedDevices } from '#db/tables/index'
import { type SiteScope, site } from '#design/sites/scope'
import { sharedTrialVisibleTo } from '#design/trials/scope'
import { type SharedTrial, sharedTrial } from '#design/trials/store'
import type { Scope, ScopeResult } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type DeviceRow, deviceByLink, deviceBySecret } from './store'

type DeviceScope = { trial: SharedTrial; access: Access; device: DeviceRow; places: Places }

/** The shared device that `:sharedDeviceId` names; 404 unless the caller may see its site, or for one of the trial, the trial. */
export const sharedDevice: Scope<DeviceScope, 'trialId' | 'sharedDeviceId'> = (context) => {
  const inTrial = sharedTrialVisibleTo(context, context.params.trialId)
  const device = found(rowById(context.db, sharedDevices, context.params.sharedDeviceId), 'shared device')
  const { access } = inTrial
  const isVisible = device.site === null ? access.trial.size > 0 : placeVisibleTo(access, 'site', device.site)
  if (device.trial !== inTrial.trial._id || !isVisible) throw refuse.missing('shared device')
  return { ...inTrial, device, places: device.site === null ? noPlaces : { sites: [device.site], groups: [] } }
}

/** The site that `:siteId` names; 404 unless it is one of the trial of the path, and the caller may see it. */
export const siteInTrial: Scope<SiteScope & { places: Places }, 'trialId' | 'siteId'> = (context) => {
  const inSite = site(context)
  if (inSite.trial._id !== context.params.trialId) throw refuse.missing('site')
  return inSite
}

/** The trial of a device, unless it was deleted. */
function existingTrial(db: Db, _id: Id): SharedTrial | undefined {
  const trial = sharedTrial(db, _id)
  return trial?.deletedAt === null ? trial : undefined
}

type DeviceTokenScope = ScopeResult & { trial: SharedTrial; device: DeviceRow }

/** The device that has the secret `:token`, in whatever state. @throws 404 if it is not known */
export const tablet: Scope<DeviceTokenScope, 'token', Caller> = ({ db, params }) => {
  const device = deviceBySecret(db, params.token)
  const trial = device && existingTrial(db, device.trial)
  if (!trial) throw refuse.linkEnded()
  return { trial, device }
}

/** The device that the link `:token` opens. @throws 404 if the link was used or has ended */
export const linkedTablet: Scope<DeviceTokenScope, 'token', Caller> = ({ db, params, now }) => {
  const device = deviceByLink(db, params.token, now)
  const trial = device && existingTrial(db, device.trial)
  if (!trial || device.endedAt !== null || device.expiresAt <= now) throw refuse.linkEnded()
  return { trial, device }
}

/** The device that the body names. */
export const namedTablet: Scope<DeviceTokenScope, never, Caller> = ({ db, body }) => {
  const { device: _id } = body as { device: Id }
  const device = found(rowById(db, sharedDevices, _id), 'shared device')
  return { trial: found(existingTrial(db, device.trial), 'shared device'), device }
}
