/** A study whose participants connect accounts at providers on this machine. */

import { parseInstant } from '#kernel/time'
import { type Person, world } from '../../harness'
import { present } from '../../present'
import { study } from '../../study'
import { until } from '../../until'
import type { dexcomServer, fitbitServer, garminServer } from './providers'

type Servers = {
  fitbit?: ReturnType<typeof fitbitServer>
  dexcom?: ReturnType<typeof dexcomServer>
  garmin?: ReturnType<typeof garminServer>
}

export const configured = (servers: Servers) =>
  Object.fromEntries(Object.entries(servers).map(([service, { access }]) => [service, access]))

/** A study that uses these services, a week after the registration of its participants. */
export async function wearableStudy(servers: Servers, limits = {}) {
  const w = world({ wearables: configured(servers), callLimits: { timeLimit: 30_000, ...limits } })
  const s = await study({ world: w })
  await s.owner.do('updateTrial', s.trial, {
    timezone: 'Europe/Berlin',
    ...{ fitbitEnabled: true, garminEnabled: true, dexcomEnabled: true },
  })
  s.clock('2026-03-09T12:00:00Z')
  const patient = await s.signIn()
  const about = `/trials/${s.trial}/participants/${s.anna}` as const
  const row = (service: string) =>
    s.db.$client
      .query<Record<string, string | number | null>, [string]>('SELECT * FROM wearableConnections WHERE service = ?')
      .get(service)
  return {
    ...s,
    patient,
    about,
    row,
    /** Signs in at Fitbit or Dexcom and connects the account. */
    async connect(service: 'fitbit' | 'dexcom', by: Person = patient) {
      const { url } = await by.do('beginWearableSignIn', service, {})
      const { code, state } = present(servers[service]).allow(url)
      return by.call('POST', `/participants/connections/${service}`, { code, state, scope: 'activity' })
    },
    async connectGarmin(by: Person = patient) {
      const { state } = await by.do('beginWearableSignIn', 'garmin', {})
      return by.call('POST', '/participants/connections/garmin', { code: state, verifier: 'the-verifier' })
    },
    /** Ticks until this holds. */
    ticked: (holds: () => unknown) =>
      until(async () => {
        await s.service.services.tick()
        return Boolean(holds())
      }),
    /** Ticks until the service was read up to now, or an attempt failed, after this moment: then no read is on its way. */
    async synced(service: string) {
      const before = row(service)!
      await until(async () => {
        await s.service.services.tick()
        const now = row(service)!
        const isAgain =
          now.syncedAt !== before.syncedAt || now.failures !== before.failures || now.status !== before.status
        return isAgain && (now.dueAt === null || Number(now.dueAt) > parseInstant(s.now())!)
      })
    },
    async records(dataset?: string) {
      const query = dataset === undefined ? ('' as const) : (`?dataset=${dataset}` as const)
      return (await s.owner.get<'readHardwareResponses'>(`${about}/hardwareResponses${query}`)).hardwareResponses
    },
    async connection(service: string) {
      const { connections } = await s.owner.do('readWearableConnections', s.trial, s.anna)
      return present(connections.find((each) => each.service === service))
    },
  }
}
