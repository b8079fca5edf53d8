/**
 * Background Sync, where the browser has it: the service worker sends what waits when there is a connection again, also if no page is
 * open by then (docs/offline.md, "What the app does on the device").
 */
import { isLanguage, type Language } from '#web/kit/language/languages'
import { isTablet } from '#web/kit/storage/smallStorage'
import { currentTranslator } from './request'

type SyncRegistration = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } }

/** What the browser gives back with the event. It holds the language of the person, which the worker cannot read elsewhere. */
const TAG = /^queue (\w+)$/

/** The language of the person who wants their entries to be sent; undefined for other events. */
export function languageIn(tag: string): Language | undefined {
  const [, language = ''] = TAG.exec(tag) ?? []
  return isLanguage(language) ? language : undefined
}

/** Asks for one such event. Not on a shared tablet, which sends its entries itself. */
export async function requestSync(): Promise<void> {
  const language = currentTranslator.value?.language
  if (isTablet || !language) return
  const registration: SyncRegistration | undefined = await navigator.serviceWorker?.ready
  await registration?.sync?.register(`queue ${language}`)
}
