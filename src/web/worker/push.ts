/** Notifications that arrive while the app is closed, and what a tap on one does. */
declare const self: ServiceWorkerGlobalScope

/** What the server sends (`outbox/push.ts`). */
type Payload = { title?: unknown; body?: unknown }

function read(data: PushMessageData | null): Payload {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Shows the app, and opens it if it is not open. */
async function open(): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window' })
  const [first] = windows.filter(({ url }) => new URL(url).pathname.startsWith('/app/'))
  if (first) await first.focus()
  else await self.clients.openWindow('/app/')
}

/** Takes part in what the worker does. Called once, when the worker begins. */
export function showNotifications(): void {
  self.addEventListener('push', (event) => {
    const { title, body } = read(event.data)
    // Browsers want each message to be shown.
    event.waitUntil(self.registration.showNotification(text(title) || 'Trialbox', { body: text(body) }))
  })
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(open())
  })
}
