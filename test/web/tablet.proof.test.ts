/** A shared tablet in a browser: participants sign in one after another, and nothing of a person stays on it. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { listen } from '#server/listen'
import { uploadPath } from '#storage/names'
import { START, testServer } from '../testServer'
import { until } from '../until'
import { appStudy } from './appStudy'
import { chromium, faultsOf, inBrowser, violations } from './browser'

const PINS = { 'P-1': '2846', 'P-2': '7531' } as const
const [MINUTE, SECRET] = [60_000, 'PINK elephants']
/** A file of three parts. */
const SCAN = Buffer.from(Uint8Array.from({ length: 1_200_000 }, (_, at) => (at * at) % 251))

const readKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.title, location.href, document.cookie]
    /** Notes what the read waits for. */
    const note = (reading: string) => Object.assign(window, { reading })
    /** The result of a request. The browser may close a connection by itself: then the request fails, and would never succeed. */
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    note('the names of the databases')
    for (const { name = '' } of await indexedDB.databases()) {
      note(`the database ${name}`)
      const db = await resultOf(indexedDB.open(name))
      try {
        for (const store of db.objectStoreNames) {
          note(`the store ${store} of ${name}`)
          kept.push(name, store, await resultOf(db.transaction(store).objectStore(store).getAll()))
        }
      } finally {
        db.close()
      }
    }
    note('the caches')
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const { url } of await cache.keys()) kept.push(url)
    }
    // What is sealed is random, and long enough to have any short text.
    const text = JSON.stringify(kept, (name, value) => (name === 'envelope' ? '' : value))
    return `${text} ${document.documentElement.outerHTML}`
  })

/** Says what a read waits for that has no answer, unless the page itself does not answer. */
async function tellWhere(page: Page): Promise<void> {
  const reading = page.evaluate(() => Reflect.get(window, 'reading')).catch(() => undefined)
  console.warn(
    `A read of what the tablet keeps has no answer; it waits for: ${await Promise.race([reading, Bun.sleep(5_000)])}`,
  )
}

/**
 * All that the browser keeps, as text: databases, small things, caches, the page, and where one can go back to. It is read again where
 * the page is loaded anew meanwhile, as the tablet does by itself, and where the read has failed.
 */
async function everythingKept(page: Page): Promise<string> {
  let kept: string | undefined
  await until(async () => {
    const answer = await Promise.race([readKept(page).catch(() => ''), Bun.sleep(20_000)])
    if (answer === undefined) await tellWhere(page)
    kept = answer || undefined
    return kept !== undefined
  })
  return kept ?? ''
}

/** What of Anna must not be found, after she has gone. */
const ofAnna = (anna: string, trial: string) => [
  anna,
  'P-1',
  SECRET,
  'ELEPHANT',
  'How do you feel',
  `${trial}/`,
  '"token"',
  'stages/',
]

test.skipIf(!chromium)(
  'a shared tablet: set up, sign in by PIN, answers without a connection, sign out, idle, end',
  async () => {
    const { service, owner, call, sqlite } = await testServer()
    const done = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const { trial, anna, bert } = await appStudy(done, owner.team, { now: START / 1000, diaries: 2 })
    const note = { name: 'Words', code: 'words', format: 'paragraph' }
    const words = (await done('POST', `/trials/${trial}/data-types`, note))._id
    const scan = (await done('POST', `/trials/${trial}/data-types`, { name: 'Scan', code: 'scan', format: 'file' }))._id
    const components = [
      { id: 'words', dataType: words, title: 'How do you feel?', isRequired: true },
      { id: 'scan', dataType: scan, title: 'A scan of it', isRequired: false },
    ]
    const stage = (await done('POST', `/trials/${trial}/stages`, { name: 'A diary', adHoc: true, components }))._id
    const site = (await done('POST', `/trials/${trial}/sites`, { name: 'Ward of the North', id: 'N1' }))._id
    for (const [_id, pin] of [
      [anna, PINS['P-1']],
      [bert, PINS['P-2']],
    ]) {
      await done('PUT', `/sites/${site}/memberships/${_id}`)
      await done('PUT', `/trials/${trial}/participants/${_id}/pin`, { pin })
    }
    const tablets = `/trials/${trial}/sites/${site}/shared-devices`
    const device = await done('POST', tablets, { name: 'By the window', idleMinutes: 2 })
    const server = listen(service, { host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${server.port}`
    const stored = () =>
      sqlite.query<{ entry: string }, []>('SELECT entry FROM storedSubmissions WHERE entry IS NOT NULL').all().length
    const held = () => sqlite.query<{ code: string }, []>('SELECT code FROM heldEntries ORDER BY _id').all()
    try {
      await inBrowser(
        async (page) => {
          const faults = faultsOf(page, base)
          await page.clock.install({ time: START / 1000 })
          const welcome = page.locator('#tablet-id')
          /** Waits until the tablet has carried what waits on it, which it does once a minute. */
          const carried = (holds: () => boolean) =>
            until(async () => {
              if (holds()) return true
              await page.clock.fastForward(10_000)
              return false
            })
          const signIn = async (id: keyof typeof PINS) => {
            await welcome.fill(id)
            for (const digit of PINS[id]) await page.locator('.key', { hasText: digit }).click()
            await page.locator('.tablet-form .main').click()
            await page.locator('.tablet-bar').waitFor()
          }
          const write = async (text: string) => {
            await page.evaluate((path) => {
              const link = document.createElement('a')
              link.href = path
              document.body.append(link)
              link.click()
              link.remove()
            }, `/app/stages/${stage}`)
            await page.locator('form .question textarea').fill(text)
          }
          /** Adds a file to the form, and waits until the tablet has sealed it. */
          const addScan = async () => {
            await page
              .locator('form input[type=file]')
              .setInputFiles({ name: 'ELEPHANT.bin', mimeType: 'application/octet-stream', buffer: SCAN })
            await until(async () => (await everythingKept(page)).split('"from"').length === 4)
          }
          const scans = () =>
            sqlite
              .query<{ storedName: string }, []>(
                'SELECT storedName FROM files WHERE finishedAt IS NOT NULL AND isUsed ORDER BY createdAt',
              )
              .all()
              .map(({ storedName }) => readFileSync(uploadPath(service.services.storage.files, storedName)))
          const leave = async () => {
            await page.locator('.tablet-bar button').click()
            await page.locator('dialog .actions .main').click()
            await welcome.waitFor()
          }

          await page.goto(`${base}/app/tablet/${device.url.split('/').at(-1)}`)
          await page.locator('.card .main').click()
          await welcome.waitFor()
          expect(await page.locator('.tablet-place').textContent()).toContain('Ward of the North')
          expect(await violations(page)).toEqual([])
          await page.waitForFunction(() => navigator.serviceWorker.controller !== null)

          // A wrong PIN is told kindly; a scanner's Enter goes on to the PIN; the keyboard alone is enough.
          await welcome.fill('P-1')
          await page.keyboard.press('Enter')
          await page.keyboard.type('9999')
          await page.keyboard.press('Enter')
          await page.locator('.notice.fault').waitFor()
          expect(await page.locator('#tablet-pin').inputValue()).toBe('')
          await signIn('P-1')
          expect(await violations(page)).toEqual([])

          // Answers without a connection are sealed, and are sent by the tablet after Anna has gone.
          const before = await page.evaluate(() => history.length)
          await write(SECRET)
          await until(async () => (await everythingKept(page)).includes('"envelope"'))
          await page.context().setOffline(true)
          await addScan()
          await page.locator('form button.main').click()
          await page.locator('section[role=status]').waitFor()
          await leave()
          await page.locator('.notice.info').waitFor()
          const kept = await everythingKept(page)
          expect(kept).toContain('"envelope"')
          for (const text of ofAnna(anna, trial)) expect([text, kept.includes(text)]).toEqual([text, false])
          expect(await page.evaluate(() => history.length)).toBe(before)
          // Signing in needs the server, and the tablet says so.
          await welcome.fill('P-2')
          await page.locator('#tablet-pin').fill(PINS['P-2'])
          await page.locator('.tablet-form .main').click()
          await page.locator('.notice.fault').waitFor()
          expect(stored()).toBe(0)
          await page.context().setOffline(false)
          await carried(() => stored() === 1)
          await until(async () => !(await everythingKept(page)).includes('"envelope"'))
          await page.locator('.notice.info').waitFor({ state: 'detached' })
          expect(scans()).toEqual([SCAN])

          // With a connection a form is sent at once, and its envelope is forgotten.
          await signIn('P-2')
          // What another window would show would stay there.
          await page.evaluate(() => {
            const link = Object.assign(document.createElement('a'), { href: '/storage/x', target: '_blank' })
            document.body.append(link)
            link.click()
            link.remove()
          })
          await page.locator('.toast').waitFor()
          expect(page.context().pages()).toHaveLength(1)
          await write('Well.')
          await addScan()
          await page.locator('form button.main').click()
          await until(() => stored() === 2)
          await until(async () => !(await everythingKept(page)).includes('"envelope"'))
          expect(scans()).toEqual([SCAN, SCAN])
          await leave()

          // Nobody is there: a question, and then nothing is shown. The study team gets what was begun.
          await signIn('P-1')
          await write(SECRET)
          await until(async () => (await everythingKept(page)).includes('"envelope"'))
          await page.clock.fastForward(1.6 * MINUTE)
          await page.locator('dialog[role=alertdialog]').waitFor()
          expect(await violations(page)).toEqual([])
          await page.locator('dialog[role=alertdialog] .main').click()
          await page.locator('dialog').waitFor({ state: 'detached' })
          await page.clock.fastForward(2.1 * MINUTE)
          await welcome.waitFor()
          await carried(() => held().length === 1)
          expect(held()).toEqual([{ code: 'unfinished' }])
          await until(async () => !(await everythingKept(page)).includes('"envelope"'))
          const after = await everythingKept(page)
          for (const text of ofAnna(anna, trial)) expect([text, after.includes(text)]).toEqual([text, false])

          // What somebody typed who went away without signing in is forgotten.
          await welcome.fill('P-1')
          await until(async () => {
            await page.clock.fastForward(20_000)
            return (await welcome.inputValue()) === ''
          })

          // What is dropped is not handed over.
          await signIn('P-1')
          await write('Nothing.')
          await until(async () => (await everythingKept(page)).includes('"envelope"'))
          await addScan()
          await page.locator('.tablet-bar button').click()
          await page.locator('dialog .danger').click()
          await welcome.waitFor()
          await until(async () => !(await everythingKept(page)).includes('"envelope"'))
          expect(held()).toHaveLength(1)
          expect(scans()).toHaveLength(2)

          // Staff end the tablet: whoever is signed in is signed out, and the tablet says so. Then it can be used otherwise.
          await signIn('P-2')
          await done('DELETE', `/trials/${trial}/shared-devices/${device._id}`)
          await page.clock.fastForward(61_000)
          await page.locator('a[href="/app/staff"]').click()
          await page.locator('.actions button:not([disabled])', { hasText: 'No longer' }).click()
          await page.locator('input[name=trialCode]').waitFor()
          expect(faults.filter((fault) => !/ERR_(FAILED|INTERNET_DISCONNECTED)/.test(fault))).toEqual([])
        },
        { viewport: { width: 768, height: 1024 }, reducedMotion: 'reduce' },
      )
    } finally {
      await server.stop()
    }
  },
  180_000,
)
