/** The service worker as the app sees it: whether the app opens without a connection, and whether a new version waits. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { registerWorker } from '#web/kit/page/registerWorker'
import { drafts } from './drafts'

const waiting = signal<ServiceWorker | undefined>(undefined)
const isRegistrationRefused = signal(false)

/** Whether a new version of the app waits to be taken over. */
export const newVersion: ReadonlySignal<boolean> = computed(() => waiting.value !== undefined)

/** Whether this device does not keep the app: it cannot be opened again without a connection (docs/certificates.md). */
export const isOfflineUnavailable: ReadonlySignal<boolean> = isRegistrationRefused

/** Takes the new version over. The page is loaded again with it. */
export function takeOver(): void {
  waiting.value?.postMessage('takeOver')
}

/** Notes a version that waits. Where nothing that could be lost is open, it is taken over when the app is opened next. */
function note(registration: ServiceWorkerRegistration): void {
  if (registration.waiting && navigator.serviceWorker.controller) waiting.value = registration.waiting
}

/**
 * Keeps a group of files for when there is no connection (`some` in `participant/entry.ts`). A version that waits gets it too: there may be
 * no connection when it is taken over.
 */
export async function keepGroup(group: 'patterns'): Promise<void> {
  const { active, waiting } = (await navigator.serviceWorker?.ready) ?? {}
  for (const worker of [active, waiting]) worker?.postMessage({ keep: [group] })
}

/** Registers the worker, and looks for a new version whenever the app is shown. Call it once. */
export async function keepApp(): Promise<void> {
  const registration = await registerWorker()
  if (!registration) {
    isRegistrationRefused.value = true
    return
  }
  // What this page has loaded before the worker was there.
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ keep: loaded }))
  note(registration)
  if (waiting.value && drafts.value.length === 0 && location.pathname === '/app/') takeOver()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => note(registration))
  })
  let isLoading = false
  let hadOne = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes over a page that has the same files.
    const isFirst = !hadOne
    hadOne = true
    if (isFirst || isLoading) return
    isLoading = true
    location.reload()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) registration.update().catch(() => undefined)
  })
}
