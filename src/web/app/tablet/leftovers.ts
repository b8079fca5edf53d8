/** What people left on a device that becomes a shared tablet. */
import { database, readable, STRICT } from '#web/app/device/database'
import { linkFiles } from '#web/app/device/linkFiles'
import { OF_LINKS } from '#web/app/device/model'
import { OUTBOX } from '#web/app/pages/outbox'

/** What belongs to the device, and to nobody who used it. */
const OF_DEVICE = ['language', 'theme', 'tablet']

const isUnsent = (key: string): boolean => key.startsWith(OUTBOX) || key.startsWith(OF_LINKS)

/** Whether answers or messages of anybody are on the device that the server does not have. */
export async function hasUnsent(): Promise<boolean> {
  const kept = await Promise.all([readable('queue'), readable('drafts')])
  return kept.some(({ length }) => length > 0) || Object.keys(localStorage).some(isUnsent)
}

/** Removes everything else of whoever used the device. */
export async function forgetEverybody(): Promise<void> {
  const stores = ['own', 'copies', 'blobs'] as const
  const transaction = (await database()).transaction(stores, 'readwrite', STRICT)
  await Promise.all([...stores.map((name) => transaction.objectStore(name).clear()), transaction.done])
  await (await linkFiles()).clear('files')
  for (const key of Object.keys(localStorage)) if (!OF_DEVICE.includes(key)) localStorage.removeItem(key)
}
