/** Answers behind a link that wait to be sent, on devices and lines that fail. */
import { describe, expect, test } from 'bun:test'
import { until } from '../until'
import { onDevice, withStudy } from './appVisits'
import { chromium, violations } from './browser'
import { choosePhoto, choosePhotoHere, keptByLinks, photoForm } from './linkVisits'

const THANKS = { name: 'Thank you. Your answers have arrived.' }

describe.skipIf(!chromium)('answers behind a link that wait', () => {
  test('are kept with their files by the next try, if the database could not be opened', async () => {
    await withStudy(async (where) => {
      const { url, stored } = await photoForm(where)
      await onDevice(async (page) => {
        await page.addInitScript(() => {
          const open = indexedDB.open.bind(indexedDB)
          let isBusy = true
          indexedDB.open = (name, version) => {
            if (name !== 'trialbox-links' || !isBusy) return open(name, version)
            isBusy = false
            throw new DOMException('The database is busy.', 'UnknownError')
          }
        })
        await choosePhoto(page, url)
        await page.route('**/storage/**', (route) => route.abort('connectionreset'))
        await page.getByRole('button', { name: 'Send' }).click()
        await until(async () => (await keptByLinks(page)) === 2)
        await page.reload()
        await page.unroute('**/storage/**')
        await page.getByRole('heading', THANKS).waitFor()
        expect([await keptByLinks(page), await stored()]).toEqual([0, 1])
      })
    })
  }, 180_000)

  test('are sent by one tab, if two have the link', async () => {
    await withStudy(async (where) => {
      const { url, stored } = await photoForm(where)
      await onDevice(async (first) => {
        const uploads: string[] = []
        let isHeld = true
        await first.context().route('**/uploads', async (route) => {
          uploads.push(route.request().url())
          await until(() => !isHeld)
          await route.continue()
        })
        await choosePhoto(first, url)
        await first.getByRole('button', { name: 'Send' }).click()
        await until(() => uploads.length === 1)
        const second = await first.context().newPage()
        await second.goto(url)
        await second.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
        const waiting = () => second.evaluate(async () => (await navigator.locks.query()).pending?.length ?? 0)
        await until(async () => uploads.length === 2 || (await waiting()) === 1)
        isHeld = false
        await first.getByRole('heading', THANKS).waitFor()
        await second.getByText('You have sent this form before').waitFor()
        expect([uploads.length, await keptByLinks(second), await stored()]).toEqual([1, 0, 1])
      })
    })
  }, 180_000)

  const full = () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The device is full.', 'QuotaExceededError')
    }
  }
  const noFiles = () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The device is full.', 'QuotaExceededError')
    }
  }
  test.each([
    ['the answers', full],
    ['the files', noFiles],
  ])(
    'are said to be on the page only, if the device cannot keep %s',
    async (_, broken) => {
      await withStudy(async (where) => {
        const { url, stored } = await photoForm(where)
        await onDevice(async (page) => {
          const asked: string[] = []
          page.on('dialog', (dialog) => {
            asked.push(dialog.type())
            void dialog.dismiss()
          })
          await page.addInitScript(broken)
          await choosePhoto(page, url)
          await page.route('**/storage/**', (route) => route.abort('connectionreset'))
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByRole('heading', { name: 'Your answers are not sent yet' }).waitFor()
          await page.getByText('this device does not keep them').waitFor()
          expect(await violations(page)).toEqual([])
          await page.close({ runBeforeUnload: true })
          await until(() => asked.length > 0)
          expect(asked).toEqual(['beforeunload'])
          await page.unroute('**/storage/**')
          await page.getByRole('heading', THANKS).waitFor()
          expect([await keptByLinks(page), await stored()]).toEqual([0, 1])
          // There is nothing more to lose.
          await page.reload()
          expect(asked).toHaveLength(1)
        })
      })
    },
    180_000,
  )

  test('of a poll are sent while the next person answers, who keeps their place', async () => {
    await withStudy(async (where) => {
      const { base, call, trial, code, mood } = where
      const stage = await call('POST', `/trials/${trial}/stages`, {
        ...{ name: 'Breath', isPoll: true },
        components: [{ id: 'q', dataType: mood, title: 'How do you breathe?', isRequired: true }],
      })
      const stored = async () => (await call('GET', `/trials/${trial}/stages/${stage._id}/pollAnswers`)).total
      await onDevice(async (page) => {
        const answer = (points: number) => page.getByLabel(`${points}`, { exact: true }).check({ force: true })
        const next = page.getByRole('button', { name: 'Answer again for somebody else' })
        const send = page.getByRole('button', { name: 'Send', exact: true })
        await page.goto(`${base}/poll/${code}/${stage._id}`)
        await page.route('**/responses', (route) => route.abort('connectionreset'))
        for (const points of [1, 2]) {
          await answer(points)
          await send.click()
          await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
          await next.click()
        }
        await answer(3)
        await page.unroute('**/responses')
        await until(async () => (await keptByLinks(page)) === 0)
        expect([await stored(), await page.getByLabel('3', { exact: true }).isChecked()]).toEqual([2, true])
        await send.click()
        await page.getByRole('heading', THANKS).waitFor()
        expect(await stored()).toBe(3)
      })
    })
  }, 180_000)

  test('leave nothing on a shared tablet, and are said to be on the page only', async () => {
    await withStudy(async (where) => {
      const { url, stored } = await photoForm(where)
      await onDevice(async (page) => {
        await page.addInitScript(() => localStorage.setItem('tablet', 'yes'))
        await choosePhoto(page, url)
        await page.route('**/storage/**', (route) => route.abort('connectionreset'))
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByText('this device does not keep them').waitFor()
        expect(await keptByLinks(page)).toBe(0)
        await page.unroute('**/storage/**')
        await page.getByRole('heading', THANKS).waitFor()
        expect([await keptByLinks(page), await stored()]).toEqual([0, 1])
      })
    })
  }, 180_000)

  test('are sent by the next try, if a part of the page could not be loaded', async () => {
    await withStudy(async (where) => {
      const { url, stored } = await photoForm(where)
      await onDevice(async (page) => {
        const loaded: string[] = []
        page.on('request', (request) => loaded.push(request.url()))
        await page.goto(url)
        await page.getByRole('button', { name: 'Send' }).waitFor()
        const first = loaded.length
        await page.route('**/storage/**', (route) => route.abort('connectionreset'))
        await choosePhotoHere(page)
        const forFiles = loaded.slice(first).filter((each) => each.endsWith('.js'))
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
        let isLost = true
        let failed = 0
        await page.route(
          (address) => forFiles.includes(address.href),
          async (route) => {
            if (isLost) failed++
            await (isLost ? route.abort('failed') : route.continue())
          },
        )
        await page.reload()
        // One is enough: which others are asked for depends on what the browser has when the first fails.
        await until(() => failed > 0)
        await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
        // Not before: a try of the page that was left might have sent them.
        await page.unroute('**/storage/**')
        isLost = false
        await page.getByRole('heading', THANKS).waitFor()
        expect([await keptByLinks(page), await stored()]).toEqual([0, 1])
      })
    })
  }, 180_000)
})
