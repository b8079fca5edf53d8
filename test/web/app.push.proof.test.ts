/** Notifications on a device: who turns them on gets them, and nobody else does who uses the device later. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { device, service } from '../outbox/pushService'
import { until } from '../until'
import { PASSWORD } from './appStudy'
import { fillIn, onDevice, phone, type StudyVisit, signIn, withStudy } from './appVisits'
import { violations, wholeChromium } from './browser'

const settings = {
  messages: { push: { subject: 'mailto:study@example.org', services: ['127.0.0.1'] } },
  pushKey: Buffer.alloc(32, 7),
}

/** The browser has no push service in a test: its subscription is one of the test, which a page that is loaded again finds again. */
const withSubscription = (page: Page, subscription: object) =>
  page.addInitScript((json) => {
    const found = () => {
      const key = localStorage.getItem('subscription')
      if (key === null) return null
      const unsubscribe = async () => {
        localStorage.removeItem('subscription')
        return true
      }
      const applicationServerKey = Uint8Array.from(key.split(','), Number).buffer
      return { toJSON: () => json, unsubscribe, options: { applicationServerKey } }
    }
    Object.defineProperty(PushManager.prototype, 'getSubscription', { value: async () => found() })
    Object.defineProperty(PushManager.prototype, 'subscribe', {
      // As browsers do it: another key is refused as long as there is a subscription.
      async value({ applicationServerKey }: { applicationServerKey: Uint8Array }) {
        const key = localStorage.getItem('subscription')
        if (key !== null && key !== applicationServerKey.join()) throw new DOMException('', 'InvalidStateError')
        localStorage.setItem('subscription', applicationServerKey.join())
        return found()
      },
    })
  }, subscription)

const isSubscribed = (page: Page) => page.evaluate(() => localStorage.getItem('subscription') !== null)
const hasEnded = (page: Page) => page.waitForFunction(() => localStorage.getItem('subscription') === null)

const on = (page: Page) => page.getByRole('button', { name: 'Turn on notifications here' })
const off = (page: Page) => page.getByRole('button', { name: 'Turn off notifications here' })

const reached = async ({ call, trial, anna }: StudyVisit): Promise<boolean> =>
  (await call('GET', `/trials/${trial}/participants/${anna}`)).pushAvailable

async function toYou(page: Page, { base }: StudyVisit): Promise<void> {
  await page.goto(`${base}/app/you`)
  await page.getByRole('heading', { name: 'How the study reaches you' }).waitFor()
}

async function turnOn(page: Page): Promise<void> {
  await on(page).click()
  await off(page).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Somebody else?').click()
  await page.locator('[name=trialCode]').waitFor()
}

/** Anna's phone, on which she has turned notifications on. */
const withNotifications = (
  act: (page: Page, where: StudyVisit, sent: ReturnType<typeof service>['sent']) => Promise<void>,
) =>
  withStudy(async (where) => {
    const { sent, origin } = service()
    await onDevice(
      async (page) => {
        await page.context().grantPermissions(['notifications'], { origin: where.base })
        await withSubscription(page, device(origin).subscription)
        await signIn(page, where)
        await page.evaluate(async () => void (await navigator.serviceWorker.ready))
        await toYou(page, where)
        await turnOn(page)
        await act(page, where, sent)
      },
      { ...phone, executablePath: wholeChromium },
    )
  }, settings)

describe.skipIf(!wholeChromium)('notifications on a device', () => {
  test('are turned on and off, and the app says what is true', async () => {
    await withNotifications(async (page, where, sent) => {
      expect(await reached(where)).toBe(true)
      await page.getByText('Notifications on a device').waitFor()
      expect(await violations(page)).toEqual([])
      const path = `/trials/${where.trial}/participants/${where.anna}/messages`
      await where.call('POST', path, { message: 'Please fill in your diary.', sendVia: ['push'] })
      await where.call('PUT', '/test/clock', { advance: 'PT1S' })
      await until(() => sent.length === 1)
      await page.reload()
      await off(page).click()
      await on(page).waitFor()
      expect([await reached(where), await isSubscribed(page)]).toEqual([false, false])
      // The server forgot the device, for example because its push service did.
      await turnOn(page)
      await where.call('PUT', `/trials/${where.trial}/participants/${where.anna}`, { password: `${PASSWORD} again` })
      await page.reload()
      await page.locator('[name=password]').fill(`${PASSWORD} again`)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      // The same person goes on, and so do their notifications.
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await until(() => reached(where))
      await page.reload()
      await off(page).waitFor()
    })
  }, 180_000)

  test('go on after the server has replaced its key: the app subscribes anew when it is opened', async () => {
    await withNotifications(async (page, where) => {
      const kept = () => page.evaluate(() => localStorage.getItem('subscription'))
      const current = await kept()
      await page.goto(`${where.base}/app/`)
      await page.evaluate(() => localStorage.setItem('subscription', '4,1,2,3'))
      await page.reload()
      await until(async () => (await kept()) === current)
      await until(() => reached(where))
      await toYou(page, where)
      await off(page).waitFor()
    })
  }, 180_000)

  test('end with the sign-out, without a connection too, so that the next person does not read them', async () => {
    await withNotifications(async (page, where) => {
      await page.context().setOffline(true)
      await signOut(page)
      await hasEnded(page)
      await page.context().setOffline(false)
      await fillIn(page, where, PASSWORD, 'P-2')
      await page.locator('.form-card, .empty').first().waitFor()
      await toYou(page, where)
      await on(page).waitFor()
      expect(await off(page).count()).toBe(0)
    })
  }, 180_000)

  test('do not go on for somebody else whose sign-in takes the place of an ended session', async () => {
    await withNotifications(async (page, where) => {
      const { url } = await where.call('POST', `/trials/${where.trial}/participants/${where.bert}/grants`, {})
      await page.goto(where.base + new URL(url, where.base).pathname + new URL(url, where.base).search)
      await hasEnded(page)
      await page.locator('.form-card, .empty').first().waitFor()
      await toYou(page, where)
      await on(page).waitFor()
    })
  }, 180_000)

  test('an old subscription for another key of the server is replaced', async () => {
    await withNotifications(async (page, where) => {
      await off(page).click()
      await page.evaluate(() => localStorage.setItem('subscription', '1,2,3'))
      await turnOn(page)
      expect(await reached(where)).toBe(true)
    })
  }, 180_000)

  test('a message that arrives is shown as text; one that cannot be read is shown too, as browsers want it', async () => {
    await withNotifications(async (page, { base }) => {
      const session = await page.context().newCDPSession(page)
      const registered = new Promise<string>((resolve) =>
        session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
          if (first) resolve(first.registrationId)
        }),
      )
      await session.send('ServiceWorker.enable')
      const registrationId = await registered
      const all = () =>
        page.evaluate(async () => {
          const found = await (await navigator.serviceWorker.getRegistration('/app/'))?.getNotifications()
          return (found ?? []).map(({ title, body }) => [title, body]).sort()
        })
      const shown = async (count: number): Promise<string[][]> => {
        await until(async () => (await all()).length >= count)
        return all()
      }
      const deliver = (data: string) =>
        session.send('ServiceWorker.deliverPushMessage', { origin: base, registrationId, data })
      await deliver(JSON.stringify({ title: 'Your diary', body: '<b>Please</b> fill it in.' }))
      expect(await shown(1)).toEqual([['Your diary', '<b>Please</b> fill it in.']])
      await deliver('no JSON')
      await shown(2)
      await deliver('null')
      await shown(3)
      await deliver(JSON.stringify({ title: { a: 1 }, body: 7 }))
      expect(await shown(4)).toEqual([...Array(3).fill(['Trialbox', '']), ['Your diary', '<b>Please</b> fill it in.']])
    })
  }, 180_000)
})
