/** What the service worker does with the queue: it sends what waits as a page does, one of them at a time. The build adds it to the worker. */
import { sendOnce } from './queue'
import { readPerson } from './readPerson'
import { currentTranslator } from './request'
import { languageIn } from './sync'

type SyncEvent = Event & { tag: string; waitUntil(until: Promise<unknown>): void }

async function sendQueue(): Promise<void> {
  if ((await sendOnce(readPerson)) === 'later') throw new Error('There is no connection: the browser tries again.')
}

addEventListener('sync', (event) => {
  const { tag, waitUntil } = event as SyncEvent
  const language = languageIn(tag)
  if (!language) return
  currentTranslator.value = { language, t: () => '' }
  waitUntil.call(event, sendQueue())
})
