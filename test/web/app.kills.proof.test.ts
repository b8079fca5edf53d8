/** What is on a device outlives the browser, the server and the version of the app. */
import { describe, expect, test } from 'bun:test'
import { unreadable } from '#kernel/fault'
import { entriesOf } from '#writers/unzip'
import { freshFolder } from '../server/process/folder'
import { until } from '../until'
import { chromium, faultsOf, inBrowser, violations } from './browser'
import { startBrowser } from './device/ownBrowser'
import { upgrade } from './upgrade'
import { draftsOf, IMAGE, NOW, OFFLINE, openPage, rate, signIn, visit, ward } from './ward'

describe.skipIf(!chromium)('the app on a device', () => {
  test('that is killed without a connection has draft, entry and photograph when it starts again, and sends them once', async () => {
    const where = await ward()
    const { base, trial, anna, forms, photo, call, stored, leave, come } = where
    const profile = freshFolder()
    const first = await startBrowser(profile)
    try {
      const page = await openPage(first.context)
      await signIn(page, where)
      await visit(page, where, forms.diary)
      await visit(page, where, forms.note)
      await leave()
      await page.reload()
      await rate(page, 4)
      await page
        .locator(`[id="answer-${photo}"]`)
        .setInputFiles({ name: 'rash.png', mimeType: 'image/png', buffer: IMAGE })
      await page.locator('form button.main').click()
      await page.getByText('Your answers are kept on this device').waitFor()
      await page.goto(`${base}/app/stages/${forms.diary}`)
      await rate(page, 2)
      await until(async () => (await draftsOf(page)) === 1)
    } finally {
      await first.kill()
    }
    const second = await startBrowser(profile)
    try {
      const page = await openPage(second.context)
      const faults = faultsOf(page, base)
      // Every page of the app opens.
      for (const path of ['', 'messages', 'calendar', 'more', 'you', 'resources', 'food', 'connections', 'waiting']) {
        await page.goto(`${base}/app/${path}`)
        await page.locator('h1').waitFor()
      }
      await page.locator('.kept.waiting').waitFor()
      expect(await violations(page)).toEqual([])
      // A copy of the entry holds the photograph, and staff can read it in.
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save a copy' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('A note.zip')
      const bytes = await Bun.file(await download.path()).bytes()
      const parts = entriesOf(bytes, 1_000_000, unreadable)
      expect(parts.map(({ name }) => name)).toEqual(['entry.json', 'files/1 rash.png'])
      const [answers] = parts.map((part) => Buffer.from(part.read()))
      expect(
        await call('POST', `/trials/${trial}/participants/${anna}/heldEntries`, JSON.parse(`${answers}`)),
      ).toMatchObject({ status: 'held', answers: { [photo]: { value: { file: 'files/1 rash.png' } } } })
      await page.goto(`${base}/app/stages/${forms.diary}`)
      await page.getByText('Your answers from before are still here').waitFor()
      expect(await page.locator('.question input[type=radio]').nth(1).isChecked()).toBe(true)
      come()
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await page.goto(`${base}/app/waiting`)
      await page.locator('.empty').waitFor()
      await page.goto(`${base}/app/stages/${forms.diary}`)
      await page.locator('form button.main').click()
      await page.getByText('Thank you. Your answers have arrived.').waitFor()
      const [note, ...more] = await stored(anna, forms.note)
      expect([note?.response[photo]?.value, more]).toEqual([expect.objectContaining({ name: 'rash.png' }), []])
      expect(await stored(anna, forms.diary)).toHaveLength(1)
      expect(faults.filter((fault) => !OFFLINE.test(fault))).toEqual([])
    } finally {
      await second.kill()
      await leave()
    }
  }, 180_000)

  test('gets a new version only with the word of somebody who has a form open, and keeps drafts and language', async () => {
    const where = await ward()
    const { anna, forms, stored, leave } = where
    const front = upgrade(where.base)
    const { base } = front
    try {
      await inBrowser(
        async (page) => {
          page.setDefaultTimeout(40_000)
          await page.clock.install({ time: NOW })
          const faults = faultsOf(page, base)
          await signIn(page, { ...where, base })
          await visit(page, { ...where, base }, forms.diary)
          await visit(page, { ...where, base }, forms.note)
          // A proxy has lost the server when an entry is sent.
          await page.goto(`${base}/app/stages/${forms.diary}`)
          front.lose(true)
          await rate(page, 2)
          await page.locator('form button.main').click()
          await page.getByText('Ihre Antworten sind auf diesem Gerät').first().waitFor()
          await page.goto(`${base}/app/stages/${forms.note}`)
          await rate(page, 3)
          await until(async () => (await draftsOf(page)) === 1)
          front.give('new')
          const caches = () => page.evaluate(() => window.caches.keys())
          const old = await caches()
          await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
          const offer = page.getByRole('button', { name: 'Jetzt verwenden' })
          await offer.waitFor()
          // Neither now nor when the app is opened the next time.
          await page.goto(`${base}/app/`)
          await offer.waitFor()
          await page.reload()
          await offer.waitFor()
          expect(await caches()).toEqual([...old, 'app new'])
          expect(await violations(page)).toEqual([])
          await Promise.all([page.waitForEvent('load'), offer.click()])
          await until(async () => (await caches()).join() === 'app new')
          await page.context().setOffline(true)
          await page.goto(`${base}/app/stages/${forms.note}`)
          await page.getByText('Ihre Antworten von vorhin sind noch da').waitFor()
          expect(await page.locator('.question input[type=radio]').nth(2).isChecked()).toBe(true)
          // Problems are in the language of the person, though the form was never opened with the new version's files. An entry of
          // the version before and one of this version leave the device, in their order.
          await page.goto(`${base}/app/stages/${forms.diary}`)
          await page.locator('form button.main').click()
          await page.getByText('Bitte beantworten Sie diese Frage').first().waitFor()
          await rate(page, 5)
          await page.locator('form button.main').click()
          await page.locator('section[role=status]').waitFor()
          await page.goto(`${base}/app/waiting`)
          await until(async () => (await page.locator('.kept.waiting').count()) === 2)
          front.lose(false)
          await page.context().setOffline(false)
          await page.goto(`${base}/app/waiting`)
          await page.locator('.empty').waitFor()
          const answers = (await stored(anna, forms.diary)).map(({ response }) => response[where.mood]?.value)
          expect(answers.toSorted()).toEqual([2, 5])
          expect(faults.filter((fault) => !OFFLINE.test(fault))).toEqual([])
        },
        { locale: 'de-DE', viewport: { width: 768, height: 1024 } },
      )
    } finally {
      await front.stop()
      await leave()
    }
  }, 180_000)
})
