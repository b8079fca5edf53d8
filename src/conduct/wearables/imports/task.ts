/** The input of the process that reads an export of a wearable, and what it answers: plain JSON. */
import type { NewRecord } from '#conduct/wearables/providers/records'
import { hardwareRecords } from '#db/tables/index'
import { oneOf, shape, text, type ValueOf, zone } from '#wire/schema'

export const hardwareServices = hardwareRecords.service.enumValues

export const HardwareReadTask = shape({
  storedName: text(1, 200),
  /** The name that the file had on the device. */
  name: text(0, 300),
  service: oneOf(...hardwareServices),
  /** Of the wearer, for files whose times are in UTC. */
  zone: zone(),
})
export type HardwareReadTask = ValueOf<typeof HardwareReadTask>

export type HardwareRead = { records: NewRecord[]; unread: string[] }
