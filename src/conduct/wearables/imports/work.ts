/** Reads export files of wearables, in a process with limits. */

import type { Part, Reader } from '#conduct/wearables/imports/readers/reader'
import type { HardwareService } from '#conduct/wearables/providers/records'
import type { Work } from '#jobs/work'
import { isUnreadable, unreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { uploadPath } from '#storage/names'
import { isZip } from '#writers/unzip'
import { partsOfFile, UPLOAD_LIMITS } from '#writers/unzipFile'
import type { HardwareRead, HardwareReadTask } from './task'

/** The most bytes of all parts that are read, together: an export of years has a few GB. */
const UNPACKED = 4 * 1024 ** 3
/** The most records of one file, which the main thread stores at once. */
const MOST_RECORDS = 20_000

const readers: Record<HardwareService, () => Promise<Reader>> = {
  fitbit: async () => (await import('#conduct/wearables/imports/readers/fitbit')).readFitbit,
  garmin: async () => (await import('#conduct/wearables/imports/readers/garmin')).readGarmin,
  dexcom: async () => (await import('#conduct/wearables/imports/readers/dexcom')).readDexcom,
  appleHealth: async () => (await import('#conduct/wearables/imports/readers/appleHealth')).readAppleHealth,
  healthConnect: async () => (await import('#conduct/wearables/imports/readers/healthConnect')).readHealthConnect,
}

/** The parts of an archive but its folders; of any other file, the file itself. */
async function partsOf(path: string, name: string): Promise<Part[]> {
  const file = Bun.file(path)
  if (!isZip(await file.slice(0, 4).bytes())) return [{ name, pieces: () => file.stream() }]
  return partsOfFile(path, { ...UPLOAD_LIMITS, bytes: UNPACKED }, unreadable).filter((part) => !part.name.endsWith('/'))
}

export const readHardwareWork: Work<HardwareReadTask, HardwareRead> = async (task, { setup }) => {
  const { storedName, name, service, zone } = task
  try {
    const read = await readers[service]()
    const { records, unread } = await read(await partsOf(uploadPath(setup.files, storedName), name), zone)
    if (!records.length) throw refuse.bad('nothingToKeep')
    if (records.length > MOST_RECORDS)
      throw refuse.bad('tooManyRecords', { records: records.length, most: MOST_RECORDS })
    return { records, unread: unread.map((each) => each.slice(0, 300).toWellFormed()) }
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.reason) : error
  }
}
