/**
 * The service worker: it keeps the files of the app of participants on the device, and nothing else. What the API answers is kept
 * by the app itself, for each person. A new version waits until the person takes it over: an open page goes on with its own files.
 */
import type { AddedLanguages } from '#web/kit/language/addedLanguage'
import { showNotifications } from './push'

declare const self: ServiceWorkerGlobalScope

/** The files to keep, and the version that they make; the build sets both. The first is the page that answers within the app. */
declare const KEPT_FILES: readonly string[]
declare const VERSION: string

/**
 * The names of files in `/web/` that not every device keeps, by group: those with texts in a language other than English by that
 * language, those of shared tablets (`tablet`), of browsers without `Temporal` (`older`), and of forms with patterns (`patterns`).
 */
declare const SOME_FILES: Readonly<Record<string, readonly string[]>>

/** Languages that the site has added, which the server writes before this script (`web/languages/served.ts`). */
const added: AddedLanguages = JSON.parse((self as { ADDED_LANGUAGES?: string }).ADDED_LANGUAGES ?? '{}')
/** What the app needs of such a language without a connection, by catalogue. */
const CATALOGUES = [
  'kit',
  'form',
  'form/fill',
  'form/answers',
  'form/instructions',
  'participant',
  'participant/tablet',
]

const NAME = `app ${[VERSION, ...Object.values(added).map(({ folder }) => folder)].join(' ')}`
/** Each is named once: the build puts the list in the place of its name. */
const always = KEPT_FILES
const some: Readonly<Record<string, readonly string[]>> = {
  ...SOME_FILES,
  ...Object.fromEntries(
    Object.entries(added).map(([language, { folder }]) => [
      language,
      CATALOGUES.map((each) => `${folder.replace('/web/', '')}/${each}.json`),
    ]),
  ),
}
const [PAGE = '/app/'] = always

/** Links that other pages answer. */
const OTHERS = /^\/app\/(setup|stage|meeting|file-review|consent|consent-session)\//

self.addEventListener('install', (event) => {
  // Not from the cache of the browser, which may have the page of the version before.
  const fresh = always.map((path) => new Request(path, { cache: path === PAGE ? 'reload' : 'default' }))
  event.waitUntil(Promise.all([caches.open(NAME).then((cache) => cache.addAll(fresh)), keepOthers()]))
})

/** Keeps what this device needs besides: without a connection it could not be read any more after a new version. */
async function keepOthers(): Promise<void> {
  const groups = new Set('Temporal' in self ? [] : ['older'])
  // One file of a group has its name: of a language that with the texts of the app itself.
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      groups.add(/\/(?:([a-z]+)-\w+\.js$|languages\/([a-z\d-]+)-\w+\/)/.exec(url)?.slice(1).find(Boolean) ?? '')
  const databases = (await indexedDB.databases?.().catch(() => undefined)) ?? []
  if (databases.some(({ name }) => name === 'trialbox-tablet')) groups.add('tablet')
  // A version that lacks some of it is not installed: the one before goes on until there is a better connection.
  await keep([...groups])
}

async function removeOthers(): Promise<void> {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name)
  await self.clients.claim()
}

self.addEventListener('activate', (event) => event.waitUntil(removeOthers()))

const pathsOf = (names: readonly string[]): string[] => names.map((name) => `/web/${name}`)

/** The group of a file that not every device keeps: what was not opened yet of it is there without a connection, too. */
const groupOf = (path: string): string | undefined =>
  Object.keys(some).find((group) => pathsOf(some[group] ?? []).includes(path))

/** Keeps groups of files. @param wanted their names, or files of theirs @throws if one cannot be read */
async function keep(wanted: readonly unknown[]): Promise<void> {
  const cache = await caches.open(NAME)
  const groups = wanted.filter((each) => typeof each === 'string').map((each) => groupOf(each) ?? each)
  for (const path of new Set(groups.flatMap((group) => pathsOf(some[group] ?? []))))
    if (!(await cache.match(path))) await cache.add(path)
}

// `takeOver`: the person wants the new version, or nothing is open that could be lost. `keep`: groups that the device needs, or files
// that a page has loaded without this worker.
self.addEventListener('message', (event) => {
  const { data } = event
  if (data === 'takeOver') void self.skipWaiting()
  // A page that was loading while this worker became active is not one of its pages yet.
  else if (Array.isArray(data?.keep))
    event.waitUntil(Promise.all([keep(data.keep).catch(() => undefined), self.clients.claim()]))
})

const kept = async (path: string): Promise<Response | undefined> => (await caches.open(NAME)).match(path)

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  if (origin !== self.location.origin || request.method !== 'GET') return
  const isPage = request.mode === 'navigate' && pathname.startsWith('/app/') && !OTHERS.test(pathname)
  const path = isPage ? PAGE : pathname
  const isOther = groupOf(path) !== undefined
  const fetched = async (): Promise<Response> => {
    const answer = await fetch(request)
    if (isOther) event.waitUntil(keep([path]).catch(() => undefined))
    return answer
  }
  if (!isOther && !always.includes(path)) return
  event.respondWith(kept(path).then((found) => found ?? fetched()))
})

showNotifications()
