/**
 * The service worker: it keeps the files of the app of participants on the device, and nothing else. What the API answers is kept
 * by the app itself, for each person.
 */
declare const self: ServiceWorkerGlobalScope

/** The files to keep. The first is the page that answers every navigation within the app. */
const FILES: readonly string[] = []
const CACHE = 'files'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)))
})

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (origin !== self.location.origin || !FILES.includes(pathname)) return
  event.respondWith(caches.match(pathname).then((found) => found ?? fetch(event.request)))
})

export {}
