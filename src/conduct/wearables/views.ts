import type { HardwareRow, Reading } from '#conduct/wearables/providers/records'
import type { Measurement } from '#db/tables/wearables'
import { providers } from '#design/trials/model'
import type { ConnectionRow, Service } from './store'

/** Splits readings from the values of a record. */
function contentOf({ readings, ...values }: Measurement) {
  return Array.isArray(readings) ? { values, readings: readings as Reading[] } : { values }
}

/** A record on the wire. */
export const recordView = ({ measured, replaced, day: date, ...row }: HardwareRow) => ({
  ...row,
  date,
  ...contentOf(measured),
  replaced: replaced.map(({ at, source, measured }) => ({ at, source, ...contentOf(measured) })),
})

const notConnected = (service: Service) => ({
  service,
  status: 'none' as const,
  ...{ connectedAt: null, endedAt: null, scope: null, lastSyncAt: null, problem: null },
})

/** A connection on the wire. Its tokens never leave this server but for its provider. */
export const connectionView = (row: ConnectionRow) => {
  const { service, status, connectedAt, endedAt, scope, syncedAt: lastSyncAt, problem } = row
  return { service, status, connectedAt, endedAt, scope, lastSyncAt, problem }
}

/** Every service, as the participant has it. */
export const allConnections = (rows: readonly ConnectionRow[]) =>
  providers.map((service) => {
    const row = rows.find((each) => each.service === service)
    return row ? connectionView(row) : notConnected(service)
  })
