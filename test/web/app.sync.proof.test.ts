/** Entries leave the device after its page was closed, where the browser has Background Sync; each of them once. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { inBrowser, wholeChromium } from './browser'
import { upgrade } from './upgrade'
import { IMAGE, openPage, rate, readDeviceRecords, send, signIn, visit, type Ward, ward } from './ward'

type RegistrationEvent = { registrations: { registrationId: string; scopeURL: string }[] }

/** Gives the worker the event that it gets when the connection is back. @param first a page that stays */
async function syncing(first: Page, base: string): Promise<() => Promise<void>> {
  const session = await first.context().newCDPSession(first)
  const found = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }: RegistrationEvent) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(base))
      if (own) resolve(own.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  const event = { origin: base, registrationId, tag: 'queue en', lastChance: false }
  return async () => void (await session.send('ServiceWorker.dispatchSyncEvent', event))
}

/** What the page has asked the browser for. */
const registeredTags = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (registration as unknown as { sync: { getTags(): Promise<string[]> } }).sync.getTags()
  })

const answered = (page: Page) => page.getByText('Your answers are kept on this device').waitFor()

/** P-1 is signed in, behind a line that loses what is sent. `sync` gives the worker the event. */
type Scene = Ward & { front: ReturnType<typeof upgrade>; page: Page; sync(): Promise<void> }

const onLine = (act: (scene: Scene) => Promise<void>) => async () => {
  const where = await ward()
  const front = upgrade(where.base)
  const scene = { ...where, base: front.base }
  try {
    await inBrowser(
      async (first) => {
        const page = await openPage(first.context())
        await signIn(page, scene)
        await visit(page, scene, where.forms.note)
        await visit(page, scene, where.forms.diary)
        await first.goto(`${front.base}/health`)
        const sync = await syncing(first, front.base)
        front.lose(true)
        await act({ ...scene, front, page, sync })
      },
      // The shell has none.
      { hasSync: true, executablePath: wholeChromium },
    )
  } finally {
    await front.stop()
    await where.leave()
  }
}

describe.skipIf(!wholeChromium)('the service worker', () => {
  test(
    'sends what waits when the page was closed, once, with its photograph',
    onLine(async ({ front, page, base, anna, forms, photo, mood, sync, stored, entries }) => {
      await rate(page, 4)
      await send(page)
      await answered(page)
      expect(await registeredTags(page)).toEqual(['queue en'])
      await page.goto(`${base}/app/stages/${forms.note}`)
      await rate(page, 2)
      await page
        .locator(`[id="answer-${photo}"]`)
        .setInputFiles({ name: 'rash.png', mimeType: 'image/png', buffer: IMAGE })
      await send(page)
      await answered(page)
      const ids = (await readDeviceRecords(page)).queue.map(({ id }) => id)
      await page.close()
      expect(entries(anna)).toEqual([])
      front.lose(false)
      await sync()
      await until(() => entries(anna).length === 2)
      expect(entries(anna)).toEqual(ids)
      const [note, ...more] = await stored(anna, forms.note)
      expect([note?.response[mood]?.value, more]).toEqual([2, []])
      expect(note?.response[photo]?.value).toMatchObject({ name: 'rash.png' })
    }),
    180_000,
  )

  test(
    'and a page that is open send an entry once, and the page hears of it',
    onLine(async ({ front, page, base, anna, sync, entries }) => {
      await rate(page, 4)
      await send(page)
      await answered(page)
      const [entry] = (await readDeviceRecords(page)).queue
      await page.goto(`${base}/app/waiting`)
      await page.locator('.kept.waiting').waitFor()
      front.lose(false)
      await Promise.all([sync(), page.evaluate(() => dispatchEvent(new Event('online'))), sync()])
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual([entry?.id])
      expect(front.taken(/\/responses\?/)).toBe(1)
    }),
    180_000,
  )

  test(
    'sends nothing of somebody who has signed out',
    onLine(async (scene) => {
      const { front, page, base, anna, bert, forms, sync, entries } = scene
      await rate(page, 4)
      await send(page)
      await answered(page)
      await page.goto(`${base}/app/you`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
      front.lose(false)
      await signIn(page, scene, 'P-2')
      await visit(page, scene, forms.diary)
      front.lose(true)
      await rate(page, 1)
      await send(page)
      await answered(page)
      await page.close()
      front.lose(false)
      await sync()
      await until(() => entries(bert).length === 1)
      expect(entries(anna)).toEqual([])
    }),
    180_000,
  )
})
