/** Data of earlier users on a device that becomes a shared tablet. */

import { linkFiles } from '#web/form/answers/linkFiles'
import { OF_LINKS } from '#web/form/answers/model'
import { database, readRecords, STRICT } from '#web/participant/device/database'
import { OUTBOX } from '#web/participant/pages/outbox'

/** Keys of settings of the device, which belong to no person. */
const DEVICE_KEYS = ['language', 'theme', 'tablet']

const isUnsent = (key: string): boolean => key.startsWith(OUTBOX) || key.startsWith(OF_LINKS)

/** Whether the device has answers or messages of any person that the server does not have. */
export async function hasUnsent(): Promise<boolean> {
  const kept = await Promise.all([readRecords('queue'), readRecords('drafts')])
  return kept.some(({ length }) => length > 0) || Object.keys(localStorage).some(isUnsent)
}

/** Removes all other data of earlier users of the device. */
export async function removePersonalData(): Promise<void> {
  const stores = ['own', 'copies', 'blobs'] as const
  const transaction = (await database()).transaction(stores, 'readwrite', STRICT)
  await Promise.all([...stores.map((name) => transaction.objectStore(name).clear()), transaction.done])
  await (await linkFiles()).clear('files')
  for (const key of Object.keys(localStorage)) if (!DEVICE_KEYS.includes(key)) localStorage.removeItem(key)
}
