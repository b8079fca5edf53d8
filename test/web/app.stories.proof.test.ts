/** What a person does in the app of participants. */
import { describe, expect, test } from 'bun:test'
import { PASSWORD } from './appStudy'
import { goTo, onDevice, phone, signIn, withStudy } from './appVisits'
import { chromium, violations } from './browser'

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

  test('a page that was loaded past the worker has it all the same, and leads on without a connection', async () => {
    await withStudy(async (where) => {
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.waitForFunction(() => navigator.serviceWorker.controller)
        const devtools = await page.context().newCDPSession(page)
        await Promise.all([page.waitForEvent('load'), devtools.send('Page.reload', { ignoreCache: true })])
        await page.locator('.form-card').first().waitFor()
        await page.waitForFunction(() => navigator.serviceWorker.controller)
        await page.context().setOffline(true)
        // Its part of the app was not loaded yet.
        await goTo(page, 'calendar')
        await page.getByRole('heading', { name: 'Calendar', exact: true }).waitFor()
      })
    })
  }, 120_000)

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

  test('a link signs in at the second try, if the connection ends after the server has taken it', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        const { base, trial, bert, call } = where
        const { url } = await call('POST', `/trials/${trial}/participants/${bert}/grants`, {})
        await page.route('**/participants/me', (route) => route.abort())
        const { pathname, search } = new URL(url)
        await page.goto(base + pathname + search)
        await page.getByText('The server did not answer').waitFor()
        await page.unroute('**/participants/me')
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { name: 'Welcome to Breath and sleep after surgery' }).waitFor()
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
        const headingHasFocus = (name: string) => page.locator('h1:focus', { hasText: name }).waitFor()
        await page.locator('#coming ~ .fold summary').focus()
        await page.keyboard.press('Enter')
        await page.locator('.month').first().waitFor()
        await page.evaluate(() => scrollTo(0, 500))
        await page.locator('.menu-bar a[href="/app/calendar"]').focus()
        await page.keyboard.press('Enter')
        await headingHasFocus('Calendar')
        expect([await page.evaluate(() => scrollY), await page.title()]).toEqual([
          0,
          'Calendar · Breath and sleep after surgery',
        ])
        await page.goBack()
        await page.waitForFunction(() => Math.abs(scrollY - 500) < 5)
        await headingHasFocus('Today')
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
        expect([(await background()) === light, asked.at(-1)]).toEqual([false, 'ar, en-GB;q=0.9'])
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
