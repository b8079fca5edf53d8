/**
 * The service worker: it keeps the files of the app of participants on the device, and nothing else. What the API answers is kept
 * by the app itself, for each person. A new version waits until the person takes it over: an open page goes on with its own files.
 */
import { showNotifications } from './push'

declare const self: ServiceWorkerGlobalScope

/** The files to keep, and the version that they make; the build sets both. The first is the page that answers within the app. */
declare const KEPT_FILES: readonly string[]
declare const VERSION: string

/**
 * The names of files in `/web/` that not every device keeps, by group: those with texts in a language other than English by that
 * language, those of shared tablets (`tablet`), and those of browsers without `Temporal` (`older`).
 */
declare const SOME_FILES: Readonly<Record<string, readonly string[]>>

const NAME = `app ${VERSION}`
const [PAGE = '/app/'] = KEPT_FILES

/** Links that other pages answer. */
const OTHERS = /^\/app\/(setup|stage|meeting|file-review|consent|consent-session)\//

self.addEventListener('install', (event) => {
  // Not from the cache of the browser, which may have the page of the version before.
  const fresh = KEPT_FILES.map((path) => new Request(path, { cache: path === PAGE ? 'reload' : 'default' }))
  event.waitUntil(Promise.all([caches.open(NAME).then((cache) => cache.addAll(fresh)), keepOthers()]))
})

/** Keeps what this device needs besides: without a connection it could not be read any more after a new version. */
async function keepOthers(): Promise<void> {
  const groups = new Set('Temporal' in self ? [] : ['older'])
  // The texts of a language are in several files. That of the app itself has the name of its language.
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      groups.add(/\/([a-z]{2})-\w+\.js$/.exec(url)?.[1] ?? '')
  const databases = (await indexedDB.databases?.().catch(() => undefined)) ?? []
  if (databases.some(({ name }) => name === 'trialbox-tablet')) groups.add('tablet')
  await keep([...groups].flatMap((group) => SOME_FILES[group] ?? []).map((name) => `/web/${name}`))
}

async function removeOthers(): Promise<void> {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name)
  await self.clients.claim()
}

self.addEventListener('activate', (event) => event.waitUntil(removeOthers()))

/** Files of the app that are not kept for everybody: texts in other languages than English. */
const isOther = (path: string): boolean => /^\/web\/[\w-]+\.js$/.test(path) && !KEPT_FILES.includes(path)

/** With a file of a language or of tablets, all others of its group: what was not opened yet is there without a connection, too. */
const withGroup = (path: string): string[] =>
  Object.values(SOME_FILES)
    .map((names) => names.map((name) => `/web/${name}`))
    .find((paths) => paths.includes(path)) ?? [path]

async function keep(paths: readonly unknown[]): Promise<void> {
  const cache = await caches.open(NAME)
  const wanted = paths.flatMap((path) => (typeof path === 'string' && isOther(path) ? withGroup(path) : []))
  for (const path of new Set(wanted)) {
    if (await cache.match(path)) continue
    await cache.add(path).catch(() => undefined)
  }
}

// `takeOver`: the person wants the new version, or nothing is open that could be lost. `keep`: what a page loaded before this worker.
self.addEventListener('message', (event) => {
  const { data } = event
  if (data === 'takeOver') void self.skipWaiting()
  // A page that was loading while this worker became active is not one of its pages yet.
  else if (Array.isArray(data?.keep)) event.waitUntil(Promise.all([keep(data.keep), self.clients.claim()]))
})

const kept = async (path: string): Promise<Response | undefined> => (await caches.open(NAME)).match(path)

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (origin !== self.location.origin || request.method !== 'GET') return
  const isPage = request.mode === 'navigate' && pathname.startsWith('/app/') && !OTHERS.test(pathname)
  const path = isPage ? PAGE : pathname
  const fetched = async (): Promise<Response> => {
    const answer = await fetch(request)
    if (isOther(path)) event.waitUntil(keep([path]))
    return answer
  }
  if (!isPage && !isOther(path) && !KEPT_FILES.includes(path)) return
  event.respondWith(kept(path).then((found) => found ?? fetched()))
})

showNotifications()
