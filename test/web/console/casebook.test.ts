/**
 * A casebook is read and queries are answered, by taps and keys: what a nurse of a site does, and what somebody sees who may see less. What a
 * reader may not see is in no answer and on no page.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import { sharedInFile } from '../../harness'
import { chromium, faultsOf, violations } from '../browser'
import { casebookStudy } from './casebookStudy'

const study = sharedInFile(casebookStudy)

afterAll(async () => void (await (await study()).server.stop()))

/** Everything that the page was given by the API. */
function answersTo(page: Page): () => string {
  let all = ''
  page.on('response', async (response) => {
    if (/json/.test(response.headers()['content-type'] ?? '')) all += await response.text().catch(() => '')
  })
  return () => all
}
const row = (page: Page, title: string) =>
  page.locator('.field-row').filter({ has: page.getByRole('link', { name: title, exact: true }) })

describe.skipIf(!chromium)('in a browser', () => {
  test('a nurse reads a casebook, looks at a value, answers its query with Ctrl Enter, and then the next one', async () => {
    const { as, base, nurse, anna, baseline, fields, monitor, queries } = await study()
    await as(nurse, async (page) => {
      const faults = faultsOf(page, base)
      const answers = answersTo(page)
      await page.goto(`${base}/console/sr-24/participants/${anna}/casebook`)
      await page.getByRole('heading', { level: 1, name: 'P-0441' }).waitFor()
      expect(await page.title()).toBe('P-0441 · Trialbox')
      // Contact details are there when she asks for them.
      expect(await page.getByText('Anna Ahlers').count()).toBe(0)
      await page.getByRole('button', { name: 'Show contact details' }).click()
      await page.getByText('anna@example.org').waitFor()
      await page.getByRole('button', { name: 'Hide contact details' }).click()

      // What needs somebody is there at first, and stays while it is looked at.
      await page.getByRole('heading', { level: 2, name: 'Baseline' }).waitFor()
      await row(page, 'Pulse').click()
      expect(new URL(page.url()).searchParams.get('form')).toBe(`${baseline}::0`)
      const forms = page.getByRole('navigation', { name: 'Forms' })
      expect(await forms.getByRole('link').allTextContents()).toHaveLength(6)
      await forms.getByRole('link', { name: /complete Screening/ }).click()
      await page.getByRole('heading', { level: 2, name: 'Screening' }).waitFor()
      expect(await row(page, 'Systolic pressure').locator('.answer').textContent()).toContain('138 mmHg')
      expect(await row(page, 'Systolic pressure').locator('.answer').textContent()).toContain('From 90 to 200')
      expect(await row(page, 'Which nights').locator('.answer').textContent()).toContain('TueThu')
      expect(await row(page, 'Medicines').locator('td').allTextContents()).toEqual([
        'Ramipril',
        '5 mg',
        'Metoprolol',
        '47.5 mg',
      ])
      expect(await row(page, 'Mean pressure').locator('.answer').textContent()).toContain('102 computed')
      expect(await row(page, 'Street').locator('.answer').textContent()).toContain('Harbour Lane 7')
      expect(await row(page, 'HIV status').locator('.answer').textContent()).toBe('Restricted: not shown to you')
      expect(await violations(page)).toEqual([])

      await forms.getByRole('link', { name: /Baseline/ }).click()
      expect(await row(page, 'Woke at night').locator('.answer').textContent()).toContain(
        'Not known reason for no answer',
      )
      expect(await row(page, 'Which nights').locator('.answer').textContent()).toContain('Not asked')
      expect(await row(page, 'Diastolic pressure').getByRole('img', { name: 'verified' }).count()).toBe(1)
      // By keys: the row, its details, and back to the row.
      await row(page, 'Pulse').getByRole('link').focus()
      await page.keyboard.press('Enter')
      const details = page.getByRole('complementary', { name: 'Pulse' })
      await details.getByText('Was the pulse taken at rest?').waitFor()
      expect(new URL(page.url()).searchParams.get('field')).toBe(fields.pulse)
      await details.getByRole('button', { name: 'Close the details' }).click()
      await page.locator(`#field-${fields.pulse}:focus`).waitFor()

      await row(page, 'Systolic pressure').click()
      const sbp = page.getByRole('complementary', { name: 'Systolic pressure' })
      await sbp.getByText('Reason: misread digit').waitFor()
      expect(await sbp.locator('.history del').allTextContents()).toEqual(['138 mmHg'])
      expect(await violations(page)).toEqual([])
      // She did not raise it: closing is for others.
      expect(await sbp.getByRole('button', { name: 'Close query' }).count()).toBe(0)
      await sbp.getByLabel('Your reply').fill('The sheet says 136.')
      await page.keyboard.press('Control+Enter')
      await sbp.getByText('answered, today').waitFor()
      await sbp.getByText('The sheet says 136.', { exact: true }).waitFor()
      const [answered] = (await monitor.do('listQueries', (await study()).trial, { status: 'answered' })).queries
      expect(answered?._id).toBe(queries[0]!._id)

      // The queue: the next one is there after each.
      await page.getByRole('link', { name: 'Queries', exact: true }).click()
      await page.getByText('Please add the date of the visit.').click()
      const whole = page.locator('.inspector')
      // A reply stays until the server's answer is there. If only the answer was lost, the next try is no second message.
      const lose = async (route: Route) => {
        await route.fetch()
        await route.abort()
      }
      await page.route('**/messages', lose, { times: 1 })
      await whole.getByLabel('Your reply').fill('It was on 2 March.')
      await page.keyboard.press('Control+Enter')
      await whole.getByRole('alert').getByText('cannot be reached').waitFor()
      expect(await whole.getByLabel('Your reply').inputValue()).toBe('It was on 2 March.')
      await page.keyboard.press('Control+Enter')
      await whole.getByText('Was the pulse taken at rest?').waitFor()
      const { messages } = await monitor.do('readQuery', queries[2]!._id)
      expect(messages.map(({ text }) => text)).toEqual(['Please add the date of the visit.', 'It was on 2 March.'])
      await whole.getByText('71 /min').first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.locator('.inspector textarea:focus').waitFor()
      await page.keyboard.type('Yes, sitting.')
      await page.keyboard.press('Control+Enter')
      await page.getByText('No open queries').waitFor()
      await page.goBack()
      expect(answers()).not.toContain('SECRET')
      expect(faults.filter((each) => !each.includes('ERR_FAILED'))).toEqual([])
    })
  }, 120_000)

  test('a monitor closes what was answered, opens it again, and sees neither restricted nor personal answers', async () => {
    const { as, base, monitor, anna, baseline, fields, queries } = await study()
    await as(monitor, async (page) => {
      const faults = faultsOf(page, base)
      const answers = answersTo(page)
      await page.goto(`${base}/console/sr-24/participants/${anna}/casebook?form=${baseline}::0&field=${fields.sbp}`)
      const sbp = page.getByRole('complementary', { name: 'Systolic pressure' })
      await sbp.getByText(queries[0]!.messages[0]!.text).waitFor()
      for (const [title, said] of [
        ['HIV status', 'Restricted: not shown to you'],
        ['Street', 'Personal: not shown to you'],
      ] as const)
        expect(await row(page, title).locator('.answer').textContent()).toBe(said)
      expect(await page.getByRole('button', { name: 'Show contact details' }).count()).toBe(0)
      await sbp.getByRole('button', { name: 'Close query' }).click()
      await sbp.getByText('closed', { exact: true }).waitFor()
      expect(await sbp.getByLabel('Your reply').count()).toBe(0)
      await sbp.getByRole('button', { name: 'Reopen query' }).click()
      await sbp.getByLabel('Your reply').waitFor()
      // She raises one about another field.
      await row(page, 'Remarks').click()
      const remarks = page.getByRole('complementary', { name: 'Remarks' })
      await remarks.getByRole('button', { name: 'Raise a query' }).click()
      await remarks.getByLabel('Your question').fill('Which chair?')
      await page.keyboard.press('Control+Enter')
      await remarks.locator('.message').getByText('Which chair?').waitFor()
      for (const secret of ['SECRET', 'Harbour Lane', 'Ahlers', 'anna@']) expect(answers()).not.toContain(secret)
      expect(faults).toEqual([])
    })
  }, 60_000)

  test('who may not read answers sees the forms and their states', async () => {
    const { as, base, pharmacist, anna } = await study()
    await as(pharmacist, async (page) => {
      const answers = answersTo(page)
      await page.goto(`${base}/console/${(await study()).trial}/participants/${anna}/casebook`)
      await page.getByRole('link', { name: /complete Baseline/ }).waitFor()
      await page
        .getByRole('heading', { level: 2, name: 'Screening' })
        .or(page.getByText('Answers are not shown to you').first())
        .first()
        .waitFor()
      expect(await page.locator('.field-row').count()).toBe(0)
      // Queries are answers, too: they are not in the rail.
      expect(await page.getByRole('link', { name: 'Queries' }).count()).toBe(0)
      for (const secret of ['SECRET', 'Ramipril', '136']) expect(answers()).not.toContain(secret)
      expect(await violations(page)).toEqual([])
    })
  }, 60_000)

  test('a participant of another site: the page says that she does not see them', async () => {
    const { as, base, nurse, bert } = await study()
    await as(nurse, async (page) => {
      await page.goto(`${base}/console/sr-24/participants/${bert}/casebook`)
      await page.getByText('There is no such participant, or they are at a site that you do not see').waitFor()
      await page.getByRole('link', { name: 'Go to all participants' }).waitFor()
    })
  }, 60_000)
})
