import { answerLanguage, withLanguages } from '#conduct/participants/language'
import { rowById } from '#db/rows'
import { sites } from '#db/tables/index'
import { settingsOf, trialTextsIn } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Instant } from '#kernel/time'
import { stateOf } from './rules'
import type { DeviceRow } from './store'

/** A device as staff see it. */
export const deviceView = (device: DeviceRow, now: Instant) => ({ ...device, state: stateOf(device, now) })

/** A device as its tablet shows it to anybody. */
export function tabletView(
  context: Pick<RequestContext, 'db' | 'now' | 'services' | 'acceptLanguage'> & { headers: Record<string, string> },
  trial: SharedTrial,
  device: DeviceRow,
) {
  const { db, now, services } = context
  const language = answerLanguage({ ...context, trial, participant: { language: null } })
  const { name } = trialTextsIn(trial, language)
  const site = device.site === null ? undefined : rowById(db, sites, device.site)
  return withLanguages(trial, language, {
    ...deviceView(device, now),
    trial: { _id: trial._id, name, languages: settingsOf(trial).languages },
    site: site ? { _id: site._id, name: site.name } : null,
    publicKey: services.envelopes.publicKey(),
  })
}
