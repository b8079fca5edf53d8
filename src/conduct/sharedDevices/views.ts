import { rowById } from '#db/rows'
import { sites } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Instant } from '#kernel/time'
import { stateOf } from './rules'
import type { DeviceRow } from './store'

/** A device as staff see it. */
export const deviceView = (device: DeviceRow, now: Instant) => ({ ...device, state: stateOf(device, now) })

/** A device as its tablet shows it to anybody. */
export function tabletView(
  { db, now, services }: Pick<RequestContext, 'db' | 'now' | 'services'>,
  trial: SharedTrial,
  device: DeviceRow,
) {
  const site = device.site === null ? undefined : rowById(db, sites, device.site)
  return {
    ...deviceView(device, now),
    trial: { _id: trial._id, name: trial.name, languages: settingsOf(trial).languages },
    site: site ? { _id: site._id, name: site.name } : null,
    publicKey: services.envelopes.publicKey(),
  }
}
