/** What a form says after it was sent: at once, without a connection too, and until it was read. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { goTo, onDevice, phone, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, faultsOf, violations } from './browser'
import { PIN, withTablet } from './tabletVisits'
import { OFFLINE } from './ward'

const CALL = 'Your pain is strong. Call the ward now: +49 30 450-50.'
const REST = 'Please rest today.'
const THANKS = 'Thank you for your diary.'

const rule = (id: string, threshold: number, message: string, severity?: 'urgent') => ({
  ...{ id, conditions: [{ id: 'c', operator: 'more', scoreThreshold: threshold }] },
  ...(severity ? { severity } : {}),
  actions: [{ id: 'a', type: 'showMessage', message }],
})

/** A form about pain whose rules the device knows, and one whose score counts a field that is not asked. */
async function forms({ call, trial }: Pick<StudyVisit, 'call' | 'trial'>) {
  const type = async (fields: object): Promise<string> =>
    (await call('POST', `/trials/${trial}/data-types`, fields))._id
  const pain = await type({ name: 'Pain', code: 'pain', format: 'integer', min: 0, max: 10 })
  const doubled = await type({ name: 'Doubled', code: 'doubled', format: 'calculation', expression: 'pain * 2' })
  const counted = (value: number) => [{ id: 's', operator: 'more', value, points: 10 }]
  const make = async (name: string, components: object[], onSubmitRules: object[]): Promise<string> =>
    (
      await call('POST', `/trials/${trial}/stages`, {
        ...{ name, adHoc: true, postSubmissionText: THANKS, components, onSubmitRules },
      })
    )._id
  const asked = { id: 'p', dataType: pain, title: 'How strong is your pain?', isRequired: true }
  const known = await make(
    'Pain diary',
    [{ ...asked, scoringRules: counted(6) }],
    [rule('strong', 5, CALL, 'urgent'), rule('some', 5, REST)],
  )
  const secret = await make(
    'Pain, counted by the server',
    [asked, { id: 'd', dataType: doubled, title: 'Doubled', isHidden: true, scoringRules: counted(12) }],
    [rule('strong', 5, CALL, 'urgent'), rule('some', 5, REST)],
  )
  return { pain, known, secret }
}

const open = async (page: Page, name: string) => {
  await page.locator('main a', { hasText: name }).filter({ visible: true }).first().click()
  await page.locator('form .question input').first().waitFor()
}

async function answer(page: Page, pain: string): Promise<void> {
  await page.locator('form .question input').first().fill(pain)
  await page.locator('form button.main').click()
}

const urgent = (page: Page) => page.locator('dialog.urgent[open]')
const read = (page: Page) => urgent(page).getByRole('button', { name: 'I have read this' }).click()

/** The app, with the forms on the device. */
async function ready(page: Page, where: StudyVisit) {
  const made = await forms(where)
  await signIn(page, where)
  await page.waitForFunction(() => navigator.serviceWorker.controller)
  for (const name of ['Pain diary', 'Pain, counted by the server']) {
    await open(page, name)
    await page.locator('.leave').click()
    await page.locator('.form-card').first().waitFor()
  }
  return made
}

describe.skipIf(!chromium)('after a form', () => {
  test('without a connection an urgent message covers the screen at once, can be read again, and comes once', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        const faults = faultsOf(page, where.base)
        const { known } = await ready(page, where)
        await page.context().setOffline(true)
        await open(page, 'Pain diary')
        await answer(page, '8')
        await urgent(page).waitFor()
        expect(await urgent(page).locator('.urgent-text').textContent()).toBe(CALL)
        expect(await urgent(page).locator('a').getAttribute('href')).toBe('tel:+493045050')
        expect(await page.evaluate(() => document.querySelector('dialog.urgent')?.getBoundingClientRect().height)).toBe(
          phone.viewport.height,
        )
        expect(await violations(page)).toEqual([])
        // A key does not take it away, and it is there when the page is loaded again.
        for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
        await page.evaluate(() => document.querySelector<HTMLDialogElement>('dialog.urgent')?.close())
        await urgent(page).waitFor()
        await page.reload()
        await urgent(page).waitFor()
        await read(page)
        await urgent(page).waitFor({ state: 'detached' })
        // The other message was not seen, as the page of the form was gone.
        await goTo(page, '')
        await page.locator('.arrived', { hasText: REST }).waitFor()
        await page.context().setOffline(false)
        await page.locator('.status-line').waitFor({ state: 'detached' })
        const stored = await where.call('GET', `/trials/${where.trial}/participants/${where.anna}/responses`)
        expect(stored.responses.filter(({ stage }: { stage: string }) => stage === known)).toHaveLength(1)
        // The server says the same, which is not said again.
        expect([await urgent(page).count(), await page.locator('.arrived').count()]).toEqual([0, 1])
        await page.locator('.arrived button').click()
        await page.locator('.arrived').waitFor({ state: 'detached' })
        await goTo(page, 'messages')
        await page.locator('.bubble.system', { hasText: CALL }).waitFor()
        expect(await page.locator('.bubble', { hasText: CALL }).count()).toBe(1)
        expect(await page.locator('.bubble', { hasText: CALL }).locator('a').getAttribute('href')).toBe(
          'tel:+493045050',
        )
        expect(faults.filter((fault) => !OFFLINE.test(fault))).toEqual([])
      }),
    )
  }, 180_000)

  test('the page says that the answers have arrived as soon as they have', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await ready(page, where)
        await page.context().setOffline(true)
        await open(page, 'Pain diary')
        await answer(page, '2')
        await page.getByText('Your answers are kept on this device').waitFor()
        await page.getByText(THANKS).waitFor()
        await page.context().setOffline(false)
        await page.getByText('Your answers have arrived').waitFor()
        expect(await page.getByText('Your answers are kept on this device').count()).toBe(0)
        expect(await page.getByText(THANKS).count()).toBe(1)
        expect(await page.locator('.notice.info').count()).toBe(0)
      }),
    )
  }, 180_000)

  test('with a connection each message is shown once, and is not told again on the first page', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await ready(page, where)
        await open(page, 'Pain diary')
        await answer(page, '9')
        await urgent(page).waitFor()
        await read(page)
        await page.getByText('Your answers have arrived').waitFor()
        await page.waitForFunction(() => document.querySelector('main')?.contains(document.activeElement))
        for (const text of [THANKS, CALL, REST]) expect([text, await page.getByText(text).count()]).toEqual([text, 1])
        await page.locator('main a[href="/app/"]').click()
        await page.locator('.form-card').first().waitFor()
        expect([await page.locator('.arrived').count(), await urgent(page).count()]).toEqual([0, 0])
      }),
    )
  }, 180_000)

  test('what only the server can say comes when the answers arrive, on whichever page, and stays until it was read', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        await ready(page, where)
        await page.context().setOffline(true)
        await open(page, 'Pain, counted by the server')
        await answer(page, '9')
        await page.getByText('Your answers are kept on this device').waitFor()
        expect(await urgent(page).count()).toBe(0)
        await goTo(page, 'calendar')
        await page.locator('h1', { hasText: 'Calendar' }).waitFor()
        await page.context().setOffline(false)
        await urgent(page).waitFor()
        await page.reload()
        await urgent(page).waitFor()
        await read(page)
        await urgent(page).waitFor({ state: 'detached' })
        await goTo(page, '')
        await page.locator('.arrived', { hasText: REST }).waitFor()
        await page.reload()
        await page.locator('.arrived', { hasText: REST }).waitFor()
        // Who reads it in the thread has read it.
        await goTo(page, 'messages')
        await page.locator('.bubble', { hasText: REST }).waitFor()
        await goTo(page, '')
        await page.locator('.form-card').first().waitFor()
        expect(await page.locator('.arrived').count()).toBe(0)
      }),
    )
  }, 180_000)

  test('behind a link too', async () => {
    await withStudy(async (where) => {
      const { known } = await forms(where)
      const { call, trial, bert, base } = where
      const { url } = await call('POST', `/trials/${trial}/participants/${bert}/stages/${known}/tokens`, {})
      await onDevice(async (page) => {
        await page.goto(base + new URL(url).pathname)
        await page.locator('form .question input').first().waitFor()
        await page.context().setOffline(true)
        await answer(page, '8')
        await urgent(page).waitFor()
        expect(await urgent(page).locator('a').getAttribute('href')).toBe('tel:+493045050')
        expect(await page.evaluate(() => document.querySelector('dialog.urgent')?.getBoundingClientRect().height)).toBe(
          phone.viewport.height,
        )
        expect(await violations(page)).toEqual([])
        for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
        await read(page)
        await urgent(page).waitFor({ state: 'detached' })
        // It can be read again, as one text, and who uses a keyboard is at the heading.
        const number = page.locator('.notice.strong', { hasText: CALL }).locator('a')
        expect(
          await number.evaluate((link) => link.parentElement && getComputedStyle(link.parentElement).display),
        ).toBe('block')
        expect(await page.locator('.notice.strong a').getAttribute('href')).toBe('tel:+493045050')
        await page.context().setOffline(false)
        await page.getByText('Your answers have arrived').waitFor()
        for (const text of [THANKS, CALL, REST]) expect([text, await page.getByText(text).count()]).toEqual([text, 1])
        expect(await urgent(page).count()).toBe(0)
      })
    })
  }, 180_000)

  test('behind a link too, when only the server can say it, and when it does not take the answers', async () => {
    await withStudy(async (where) => {
      const { known, secret } = await forms(where)
      const { call, trial, bert, base } = where
      const linkTo = async (stage: string): Promise<string> =>
        base +
        new URL((await call('POST', `/trials/${trial}/participants/${bert}/stages/${stage}/tokens`, {})).url).pathname
      const [counted, refused] = [await linkTo(secret), await linkTo(known)]
      await onDevice(async (page) => {
        await page.goto(counted)
        await answer(page, '8')
        await urgent(page).waitFor()
        await read(page)
        await page.getByText('Your answers have arrived').waitFor()
        await page.goto(refused)
        await page.locator('form .question input').first().waitFor()
        await page.route('**/responses?*', (route) =>
          route.fulfill({
            ...{ status: 403, contentType: 'application/json' },
            body: JSON.stringify({ message: 'Not any more.', details: { code: 'withdrawn' } }),
          }),
        )
        await answer(page, '8')
        await urgent(page).waitFor()
        await read(page)
        await urgent(page).waitFor({ state: 'detached' })
        await page.locator('.notice.fault').first().waitFor()
      })
    })
  }, 180_000)

  test('on a shared tablet it is said at once, and nothing of it stays', async () => {
    await withTablet(async (where) => {
      await forms(where)
      await onDevice(
        async (page) => {
          const enter = async (id: string) => {
            await page.locator('#tablet-id').fill(id)
            for (const digit of PIN) await page.locator('.key', { hasText: digit }).click()
            await page.locator('.tablet-form .main').click()
            await page.locator('.tablet-bar').waitFor()
          }
          await page.goto(where.path)
          await page.locator('.card .main').click()
          await enter('P-1')
          await open(page, 'Pain diary')
          await page.context().setOffline(true)
          await answer(page, '8')
          await urgent(page).waitFor()
          await read(page)
          await page.getByText('Your answers are kept on this device').waitFor()
          await page.context().setOffline(false)
          await page.getByText('Your answers have arrived').waitFor()
          await page.locator('.tablet-bar button').click()
          await page.locator('dialog .actions .main').click()
          await page.locator('#tablet-id').waitFor()
          expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).not.toContain(
            'trialbox-notices',
          )
          await enter('P-2')
          expect(await page.locator('.arrived, dialog.urgent').count()).toBe(0)
        },
        { viewport: { width: 1024, height: 768 }, locale: 'en-GB' },
      )
    })
  }, 180_000)

  test('what arrives when the person has left the tablet waits for them on the first page and in the thread', async () => {
    await withTablet(async (where) => {
      await forms(where)
      await onDevice(
        async (page) => {
          const enter = async () => {
            await page.locator('#tablet-id').fill('P-1')
            await page.locator('#tablet-pin').fill(PIN)
            await page.locator('.tablet-form .main').click()
            await page.locator('.tablet-bar').waitFor()
          }
          await page.goto(where.path)
          await page.locator('.card .main').click()
          await enter()
          await open(page, 'Pain, counted by the server')
          await page.context().setOffline(true)
          await answer(page, '8')
          await page.getByText('Your answers are kept on this device').waitFor()
          expect(await urgent(page).count()).toBe(0)
          await page.locator('.tablet-bar button').click()
          await page.locator('dialog .actions .main').click()
          await page.locator('#tablet-id').waitFor()
          expect(await page.getByText(CALL).count()).toBe(0)
          await page.context().setOffline(false)
          await page.getByText('waits to be sent').waitFor({ state: 'detached' })
          await enter()
          await page.locator('.arrived', { hasText: CALL }).locator('a[href^="tel:"]').waitFor()
          await page.locator('.arrived', { hasText: CALL }).getByRole('link', { name: 'Messages' }).click()
          await page.locator('.bubble.system', { hasText: CALL }).waitFor()
          await goTo(page, '')
          await page.locator('.arrived').first().waitFor({ state: 'detached' })
        },
        { viewport: { width: 1024, height: 768 }, locale: 'en-GB' },
      )
      const { tasks } = await where.call('GET', `/trials/${where.trial}/tasks`)
      expect(tasks.map(({ description }: { description: string }) => description)).toEqual([
        expect.stringContaining('left the shared tablet'),
      ])
    })
  }, 180_000)
})
