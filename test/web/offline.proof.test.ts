/** Answers on a line that breaks: whatever happens on the way, the server holds them once, and the device keeps them until then. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { listen } from '#server/listen'
import { START, testServer } from '../testServer'
import { appStudy, PASSWORD } from './appStudy'
import { chromium, faultsOf, inBrowser } from './browser'

const SUBMISSION = /\/responses\?/

test.skipIf(!chromium)(
  'an entry whose answer is lost, or replaced by a page of a portal, or that waits in two tabs, is stored once',
  async () => {
    const { service, owner, call, sqlite } = await testServer()
    const done = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const { trial, code, bert, mood } = await appStudy(done, owner.team, { now: START / 1000, diaries: 2 })
    const components = [{ id: 'mood', dataType: mood, title: 'How do you feel?', isRequired: true }]
    const stage = (await done('POST', `/trials/${trial}/stages`, { name: 'A note', adHoc: true, components }))._id
    const server = listen(service, { host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${server.port}`
    const stored = () =>
      sqlite.query('SELECT count(*) AS number FROM idempotencyKeys WHERE participant = $bert').get({ bert })
    try {
      await inBrowser(async (page: Page) => {
        const faults = faultsOf(page, base)
        await page.clock.setFixedTime(START / 1000)
        await page.goto(`${base}/app/`)
        await page.locator('input[name=trialCode]').fill(code)
        await page.locator('input[name=participantId]').fill('P-2')
        await page.locator('input[name=password]').fill(PASSWORD)
        await page.locator('form .main').click()
        await page.locator('.app-top').waitFor()

        const keys: (string | undefined)[] = []
        page.on('request', (request) => {
          if (SUBMISSION.test(request.url())) keys.push(request.headers()['idempotency-key'])
        })
        // First a portal answers, then the server does and its answer is lost, then the line is good.
        const ways = ['portal', 'lost']
        await page.route(SUBMISSION, async (route) => {
          const way = ways.shift()
          if (way === 'portal') return route.fulfill({ status: 403, contentType: 'text/html', body: '<p>Log in!</p>' })
          if (way !== 'lost') return route.continue()
          await route.fetch()
          return route.abort()
        })
        await page.goto(`${base}/app/stages/${stage}`)
        await page.locator('form .question input').nth(2).click({ force: true })
        await page.locator('form button.main').click()
        await page.locator('section[role=status]').waitFor()
        await page.goto(`${base}/app/waiting`)
        await page.locator('.empty').waitFor()
        expect(ways).toEqual([])
        expect(keys.length).toBeGreaterThanOrEqual(3)
        expect(new Set(keys).size).toBe(1)
        expect(stored()).toEqual({ number: 1 })

        // Without a connection the app opens, takes answers, and sends them later: from one of two tabs, once.
        await page.unroute(SUBMISSION)
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
        await page.goto(`${base}/app/stages/${stage}`)
        await page.locator('form .question input').first().waitFor()
        await page.context().setOffline(true)
        await page.reload()
        await page.locator('form .question input').nth(1).click({ force: true })
        const other = await page.context().newPage()
        await other.goto(`${base}/app/stages/${stage}`)
        await other.locator('.notice.warning').first().waitFor()
        await page.locator('form button.main').click()
        await page.locator('section[role=status]').waitFor()
        await other.goto(`${base}/app/waiting`)
        await other.locator('.kept.waiting').waitFor()
        expect(stored()).toEqual({ number: 1 })
        await page.context().setOffline(false)
        await other.locator('.empty').waitFor()
        expect(stored()).toEqual({ number: 2 })

        // What the study does not take, and the person cannot correct, is with the study team soon.
        await other.close()
        const refusal = { message: 'This form has closed.', details: { code: 'closed' } }
        await page.route(SUBMISSION, (route) => route.fulfill({ status: 403, json: refusal }))
        await page.goto(`${base}/app/stages/${stage}`)
        await page.locator('form .question input').nth(1).click({ force: true })
        await page.locator('form button.main').click()
        await page.locator('section[role=alert]').waitFor()
        await page.goto(`${base}/app/waiting`)
        await page.locator('.kept.held').waitFor()
        const { heldEntries } = await done('GET', `/trials/${trial}/heldEntries`)
        expect(heldEntries).toMatchObject([{ status: 'held', code: 'closed' }])
        expect(stored()).toEqual({ number: 2 })
        expect(faults.filter((fault) => !/ERR_(FAILED|INTERNET_DISCONNECTED)/.test(fault))).toEqual([])
      })
    } finally {
      await server.stop()
    }
  },
  180_000,
)
