/**
 * The pages of the app of participants at three sizes, light and dark, from left to right and from right to left: axe finds nothing,
 * nothing is refused by the policy, no other server is asked, nothing is too wide. And what a person does in them.
 */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { listen } from '#server/listen'
import { START, testServer } from '../testServer'
import { appStudy, type Call, PASSWORD } from './appStudy'
import { chromium, faultsOf, inBrowser, violations } from './browser'

const NOW = START / 1000
const phone = { viewport: { width: 390, height: 844 }, locale: 'en-GB', hasTouch: true } as const
const looks: Record<string, BrowserContextOptions> = {
  'phone, light, English': { ...phone, colorScheme: 'light' },
  'tablet, light, Arabic': { viewport: { width: 768, height: 1024 }, locale: 'ar', colorScheme: 'light' },
  'desktop, dark, German': { viewport: { width: 1280, height: 800 }, locale: 'de-DE', colorScheme: 'dark' },
}

type Where = Awaited<ReturnType<typeof appStudy>> & {
  base: string
  /** As the owner. */
  call: Call
}

async function withStudy<T>(act: (where: Where) => Promise<T>): Promise<T> {
  const { service, owner, call: send } = await testServer()
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const study = await appStudy(call, owner.team, { now: NOW, diaries: 300 })
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  try {
    return await act({ ...study, call, base: `http://127.0.0.1:${server.port}` })
  } finally {
    await server.stop()
  }
}

/** A page on a device whose clock shows the time of the server. */
const onDevice = <T>(act: (page: Page) => Promise<T>, options: BrowserContextOptions = phone): Promise<T> =>
  inBrowser(
    async (page) => {
      page.setDefaultTimeout(60_000)
      await page.clock.install({ time: NOW })
      return act(page)
    },
    { reducedMotion: 'reduce', ...options },
  )

async function fillIn(page: Page, { code }: Pick<Where, 'code'>, password = PASSWORD): Promise<void> {
  await page.locator('[name=trialCode]').fill(code)
  await page.locator('[name=participantId]').fill('P-1')
  await page.locator('[name=password]').fill(password)
  await page.locator('form .main').click()
}

async function signIn(page: Page, where: Where): Promise<void> {
  await page.goto(`${where.base}/app/`)
  await fillIn(page, where)
  await page.locator('.form-card').first().waitFor()
}

const goTo = (page: Page, path: string) => page.locator(`a[href="/app/${path}"]`).first().click()

/** The states of pages, each after the one before. */
const states: [string, (page: Page, where: Where) => Promise<unknown>][] = [
  [
    'a refused sign-in',
    async (page, where) => {
      await page.goto(`${where.base}/app/`)
      await fillIn(page, where, 'wrong horse')
      await page.locator('[role=alert]').waitFor()
    },
  ],
  ['the first page', signIn],
  [
    'what comes later',
    async (page) => {
      await page.locator('#coming ~ .fold summary').click()
      await page.locator('.month').first().waitFor()
    },
  ],
  [
    'the thread, with a new message',
    async (page) => {
      await goTo(page, 'messages')
      await page.locator('#message').fill('Thank you 🌼\ud83c it was <b>calm</b>.')
      await page.locator('.composer [type=submit]').click()
      await page.locator('.bubble.own:not(.waiting)').waitFor()
    },
  ],
  [
    'the calendar, with a secret link',
    async (page) => {
      await goTo(page, 'calendar')
      await page.locator('#own-calendar ~ .actions .button').first().click()
      await page.locator('code').waitFor()
    },
  ],
  [
    'the resources, with a text',
    async (page) => {
      await goTo(page, 'more')
      await goTo(page, 'resources')
      await page.locator('.resource summary').click()
      await page.locator('.rich strong').waitFor()
    },
  ],
  [
    'the food diary',
    async (page) => {
      await goTo(page, 'more')
      await goTo(page, 'food')
      await page.locator('.meal .button').first().click()
      await page.locator('dialog[open] [type=search]').waitFor()
      await page.keyboard.press('Escape')
    },
  ],
  ['what is on the device', (page) => goTo(page, 'more').then(() => goTo(page, 'waiting'))],
  [
    'the settings, and the question before signing out',
    async (page) => {
      await goTo(page, 'more')
      await goTo(page, 'you')
      await page.locator('.app-body > main > .actions .button').click()
      await page.locator('dialog[open]').waitFor()
    },
  ],
  [
    'a page that does not exist',
    (page, { base }) => page.goto(`${base}/app/nothing`).then(() => page.locator('.empty').waitFor()),
  ],
  [
    'a session that ended',
    async (page, { call, trial, anna }) => {
      await call('PUT', `/trials/${trial}/participants/${anna}`, { password: 'another horse' })
      await goTo(page, 'calendar')
      await page.locator('dialog[open] [name=password]').waitFor()
    },
  ],
]

describe.skipIf(!chromium)('the app on a', () => {
  test.each(Object.keys(looks))(
    '%s',
    async (look) => {
      await withStudy((where) =>
        onDevice(async (page) => {
          const faults = faultsOf(page, where.base)
          for (const [name, show] of states) {
            await show(page, where)
            await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy]'))
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
            expect([name, wide, await violations(page), faults]).toEqual([name, 0, [], []])
          }
        }, looks[look]),
      )
    },
    180_000,
  )
})

describe.skipIf(!chromium)('in the app', () => {
  test('somebody whose session ended enters the password only, and nothing of the page is lost', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, 'messages')
        await page.locator('#message').fill('Half a thought')
        await where.call('PUT', `/trials/${where.trial}/participants/${where.anna}`, { password: 'another horse' })
        // The app may have noticed by itself already: then the question covers the button.
        await page.getByLabel('Load again').evaluate((button: HTMLElement) => button.click())
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Password').fill('another horse')
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await dialog.waitFor({ state: 'detached' })
        expect(await page.locator('#message').inputValue()).toBe('Half a thought')
      }),
    )
  }, 180_000)

  test('a message that was written without a connection is sent once there is one', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, 'messages')
        await page.locator('.bubble').first().waitFor()
        await page.context().setOffline(true)
        await page.getByLabel('Write to your study team').fill('I am on a train.')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByText('Waits for a connection').waitFor()
        await page.getByText('No connection. You can go on').waitFor()
        await page.context().setOffline(false)
        await page.locator('.bubble.own:not(.waiting)', { hasText: 'I am on a train.' }).waitFor()
        expect(await page.locator('.bubble.waiting').count()).toBe(0)
        const { messages } = await where.call('GET', `/trials/${where.trial}/participants/${where.anna}/messages`)
        expect(messages.filter(({ message }: { message: string }) => message === 'I am on a train.')).toHaveLength(1)
      }),
    )
  }, 180_000)

  test('a link of the study team signs in once, and says afterwards what to do', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        const { base, trial, bert, call } = where
        const { url } = await call('POST', `/trials/${trial}/participants/${bert}/grants`, {})
        const { pathname, search } = new URL(url)
        await page.goto(base + pathname + search)
        await page.getByRole('heading', { name: 'Welcome to Breath and sleep after surgery' }).waitFor()
        expect(page.url()).toBe(`${base}/app/`)
        await page.goto(`${base}/app/join/${new URL(url).searchParams.get('grant')}`)
        await page.getByText('The link was used already').waitFor()
        expect(await violations(page)).toEqual([])
        await page.getByRole('link', { name: 'Go to the start' }).click()
        await page.getByRole('heading', { name: 'Today' }).waitFor()
      }),
    )
  }, 180_000)

  test('the keyboard alone goes from page to page: the heading has the focus, and going back shows the page where it was left', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await signIn(page, where)
        const heading = () =>
          page.evaluate(() => document.activeElement?.tagName === 'H1' && document.activeElement.textContent)
        await page.locator('#coming ~ .fold summary').focus()
        await page.keyboard.press('Enter')
        await page.locator('.month').first().waitFor()
        await page.evaluate(() => scrollTo(0, 500))
        await page.locator('.menu-bar a[href="/app/calendar"]').focus()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
        expect([await heading(), await page.evaluate(() => scrollY), await page.title()]).toEqual([
          'Calendar',
          0,
          'Calendar · Breath and sleep after surgery',
        ])
        await page.goBack()
        await page.waitForFunction(() => Math.abs(scrollY - 500) < 5)
        expect(await heading()).toBe('Today')
      }),
    )
  }, 180_000)

  test('language and colours change at once and are remembered, and the server answers in that language', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, 'more')
        const asked: (string | undefined)[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/participants/me')) asked.push(request.headers()['accept-language'])
        })
        const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        const light = await background()
        await page.getByLabel('Dark').check({ force: true })
        expect(await background()).not.toBe(light)
        await page.getByLabel('Language').selectOption('ar')
        await page.getByRole('heading', { level: 1, name: 'المزيد' }).waitFor()
        await page.waitForFunction(() => document.documentElement.dir === 'rtl')
        await page.reload()
        await page.getByRole('heading', { level: 1, name: 'المزيد' }).waitFor()
        expect([(await background()) === light, asked.at(-1)]).toEqual([false, 'ar'])
      }),
    )
  }, 180_000)

  test('texts of twice the size need no sideways scrolling', async () => {
    await withStudy((where) =>
      onDevice(
        async (page) => {
          const session = await page.context().newCDPSession(page)
          await session.send('Page.enable')
          await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
          await signIn(page, where)
          for (const path of ['', 'messages', 'calendar', 'more', 'you', 'resources', 'food', 'waiting']) {
            await page.goto(`${where.base}/app/${path}`)
            await page.locator('h1').waitFor()
            await page.waitForFunction(() => !document.querySelector('.skeleton'))
            expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
          }
        },
        { ...phone, locale: 'fr-FR' },
      ),
    )
  }, 180_000)

  test('signing out asks first, leaves nothing of the person, and knows the ID the next time', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, 'more')
        await goTo(page, 'you')
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('heading', { name: 'Welcome', exact: true }).waitFor()
        expect(await page.locator('[name=participantId]').count()).toBe(0)
        await page.getByText('P-1', { exact: true }).waitFor()
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('heading', { name: 'Today' }).waitFor()
      }),
    )
  }, 180_000)
})
