/**
 * The casebook and the queries in every look: axe finds nothing, nothing is too wide or too small for a finger, nothing is refused by the
 * policy. And what goes on when a lock is on, when the session ends in the middle of a reply, and on a phone by taps alone.
 */
import { afterAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { sessions } from '#db/tables/index'
import { PASSWORD, sharedInFile } from '../../harness'
import { proof } from '../../proof'
import { type BrowserOptions, chromium, faultsOf, violations } from '../browser'
import { enlargeTexts, tooWide } from '../layout'
import { casebookStudy } from './casebookStudy'

const study = sharedInFile(casebookStudy)
afterAll(async () => void (await (await study()).server.stop()))

type Look = BrowserOptions & { isTurned?: boolean; size?: number }
const looks: Record<string, Look> = {
  'a desk': {},
  'a desk, dark, German': { colorScheme: 'dark', locale: 'de-DE' },
  'from right to left': { isTurned: true },
  'texts of twice the size': { size: 32 },
  'a tablet by touch': { viewport: { width: 1024, height: 768 }, hasTouch: true },
  'a phone by touch, dark': {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  },
}

/** Controls that a finger would miss. A link within a line of text, and one that fills its row, are larger than they seem. */
const tooSmall = () =>
  [...document.querySelectorAll('main :is(a, button, textarea)')]
    .map((each) => (each.closest('.question') ? each.closest('.field-row')! : each))
    .filter((each) => {
      const { width, height } = each.getBoundingClientRect()
      return height > 0 && (height < 44 || width < 44)
    })
    .map((each) => `${each.tagName} ${each.className} ${each.textContent}`)

describe.skipIf(!chromium)('in every look', () => {
  for (const [name, { isTurned, size, ...options }] of Object.entries(looks))
    proof(
      name,
      async () => {
        const { as, base, nurse, anna, screening, baseline, fields, queries, clock } = await study()
        const casebook = `/console/sr-24/participants/${anna}/casebook`
        const pages: readonly (readonly [string, string])[] = [
          [casebook, '.form-tree a'],
          [`${casebook}?form=${screening}::0`, '.field-row'],
          [`${casebook}?form=${screening}::0&field=${fields.hiv}`, '.inspector .closed'],
          [`${casebook}?form=${baseline}::0&field=${fields.sbp}`, '.history li'],
          ['/console/sr-24/queries', '.queue-item'],
          [`/console/sr-24/queries?open=${queries[0]!._id}`, '.history li'],
          ['/console/sr-24/queries?view=closed', '.empty'],
        ]
        await as(
          nurse,
          async (page) => {
            const faults = faultsOf(page, base)
            const found: unknown[] = []
            if (size) await enlargeTexts(page, size).catch(() => undefined)
            for (const [path, ready] of pages) {
              // The clock of the server stands still, and with it what counts requests.
              clock(120_000_000)
              await page.goto(base + path)
              if (size) await enlargeTexts(page, size)
              await page.locator(ready).first().waitFor()
              if (isTurned) await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
              const small = options.hasTouch ? await page.evaluate(tooSmall) : []
              found.push(
                ...[...(await violations(page)), ...(await page.evaluate(tooWide)), ...small].map((each) => [
                  path,
                  each,
                ]),
              )
            }
            expect([found, faults]).toEqual([[], []])
          },
          options,
        )
      },
      180_000,
    )
})

const reply = (page: Page) => page.locator('.inspector').getByLabel('Your reply')

describe.skipIf(!chromium)('in a browser', () => {
  proof(
    'on a phone, by taps: the list of forms, a form, a field, and back',
    async () => {
      const { as, base, nurse, anna, fields, clock } = await study()
      clock(120_000_000)
      const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
      await as(
        nurse,
        async (page) => {
          await page.goto(`${base}/console/sr-24/participants/${anna}/casebook`)
          await page.getByRole('link', { name: /Baseline/ }).tap()
          await page.locator(`#field-${fields.sbp}`).tap()
          const details = page.getByRole('complementary', { name: 'Systolic pressure' })
          await details.getByText('Reason: misread digit').waitFor()
          // Over the whole page, it still says whose it is.
          expect(await details.getByText('P-0441').isVisible()).toBe(true)
          await page.goBack()
          await details.waitFor({ state: 'detached' })
          await page.getByRole('link', { name: 'Forms' }).tap()
          await page.getByRole('link', { name: /Screening/ }).waitFor()
        },
        phone,
      )
    },
    60_000,
  )

  proof(
    'the session ends in the middle of a reply: it goes out once somebody has signed in again',
    async () => {
      const { as, base, nurse, queries, db, clock, monitor } = await study()
      clock(120_000_000)
      await as(nurse, async (page) => {
        await page.goto(`${base}/console/sr-24/queries?open=${queries[1]!._id}`)
        await reply(page).fill('At rest, yes.')
        db.delete(sessions).run()
        await page.keyboard.press('Control+Enter')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await page.getByText('Reply sent').waitFor()
        const { messages } = await monitor.do('readQuery', queries[1]!._id)
        expect(messages.map(({ text }) => text)).toEqual(['Was the pulse taken at rest?', 'At rest, yes.'])
      })
    },
    60_000,
  )

  proof(
    'under a lock of the data the page says so, and queries go on',
    async () => {
      const { as, base, nurse, anna, trial, baseline, owner, signIn, clock } = await study()
      clock(120_000_000)
      const admin = await signIn(owner)
      await admin.do('confirmIdentity', { password: PASSWORD })
      await admin.do('updateTrial', trial, {
        isDatabaseLocked: true,
        databaseLockJustification: 'Everything is complete.',
      })
      await as(nurse, async (page) => {
        await page.goto(`${base}/console/sr-24/participants/${anna}/casebook?form=${baseline}::0&field=form`)
        await page.getByText('Everything is complete.').waitFor()
        await page.getByRole('img', { name: 'locked' }).waitFor()
        await reply(page).fill('It was on 2 March.')
        await page.keyboard.press('Control+Enter')
        await page.getByText('Reply sent').waitFor()
        await page.locator('.inspector').getByText('answered, today').waitFor()
      })
    },
    60_000,
  )
})
