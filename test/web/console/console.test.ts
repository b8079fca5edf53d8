/** The pages of staff in a browser: signing in, all studies, the grid of participants, what a person may do, and the end of a session. */
import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions, trials } from '#db/tables/index'
import { PASSWORD, sharedInFile } from '../../harness'
import { chromium } from '../browser'
import { signIn, visiting, ward } from './visits'

const shared = sharedInFile(ward)
const GRID = '/console/SR-24/participants'

describe.skipIf(!chromium)('in the console', () => {
  test('somebody signs in by keys, opens a study, filters, goes back, and looks at a participant', async () => {
    const here = await shared()
    await visiting(here, here.owner, '/console', async ({ page, sound, counts }) => {
      await page.getByRole('heading', { name: 'Your studies' }).waitFor()
      await page.getByText('30 participants').waitFor()
      await page.getByText('not locked').waitFor()
      await sound('all studies')
      await page.getByRole('link', { name: /Sleep and Recovery/ }).click()
      await counts('30 participants')
      expect(new URL(page.url()).pathname).toBe(GRID)
      // The page says where the person is, and the focus with it.
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Participants')
      expect(await page.title()).toBe('Participants · Sleep and Recovery · Trialbox')
      await sound('the grid')

      await page.keyboard.press('f')
      await page.keyboard.type('sit har')
      await page.keyboard.press('Enter')
      await counts('4 participants')
      expect(new URL(page.url()).search).toBe(`?f.site=${here.harbour}`)
      await page.keyboard.press('f')
      await page.keyboard.type('group a')
      await page.keyboard.press('Enter')
      await counts('2 participants')
      await sound('two filters')
      await page.goBack()
      await counts('4 participants')
      await page.reload()
      await counts('4 participants')
      await page.getByRole('button', { name: /Remove the filter Site: Harbour/ }).click()
      await counts('30 participants')

      // An ID may be telling: what is typed does not stand in the address.
      await page.keyboard.press('/')
      await page.keyboard.type('0012')
      await counts('1 participant')
      expect(page.url()).not.toContain('0012')
      await page.keyboard.press('Control+A')
      await page.keyboard.press('Delete')
      await counts('30 participants')

      await page.getByRole('button', { name: 'ID' }).click()
      await page.locator('[data-row="0"]', { hasText: 'P-0030' }).waitFor()
      expect(new URL(page.url()).search).toBe('?sort=-id')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press(' ')
      await page.getByRole('complementary', { name: 'P-0029' }).waitFor()
      expect(new URL(page.url()).searchParams.get('open')).toBe(here.participants[28]!._id)
      await page.getByText('There are no forms for this participant.').waitFor()
      await sound('the details')
      await page.keyboard.press('ArrowDown')
      await page.getByRole('complementary', { name: 'P-0028' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.activeElement?.textContent)).toStartWith('P-0028')
      await page.keyboard.press('Enter')
      await page.waitForURL(`**${GRID}/${here.participants[27]!._id}`)
      await page.goBack()
      await page.getByRole('row', { name: /P-0028/ }).waitFor()

      await page.getByRole('button', { name: 'Signed in as Olga Owner' }).click()
      await page.getByLabel('Language').selectOption('de')
      await page.getByRole('heading', { name: 'Teilnehmende' }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await page.getByLabel('Farben').selectOption('dark')
      await sound('German, dark')
    })
  }, 180_000)

  test('an act is shown to who may perform it, and a lock disables it with its reason', async () => {
    const here = await shared()
    const register = { name: 'Register', exact: true }
    await visiting(here, here.reader, GRID, async ({ page, counts }) => {
      await counts('30 participants')
      expect(await page.getByRole('button', register).count()).toBe(0)
      await page.keyboard.press('n')
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
    await visiting(here, here.filer, `/console/${here.trial}/participants`, async ({ page, sound }) => {
      await page.getByText('You may not see this').waitFor()
      await page.getByText(/It needs the permission trial.readParticipants/).waitFor()
      expect(await page.getByRole('link', { name: 'Participants' }).count()).toBe(0)
      await sound('no permission')
    })
    const lock = (isDatabaseLocked: boolean) =>
      here.db.update(trials).set({ isDatabaseLocked }).where(eq(trials._id, here.trial)).run()
    lock(true)
    await visiting(here, here.owner, GRID, async ({ page, sound, counts }) => {
      await counts('30 participants')
      const button = page.getByRole('button', register)
      expect(await button.getAttribute('aria-disabled')).toBe('true')
      const reason = 'The data of this study are locked: participants and answers cannot be changed.'
      expect(await button.getAttribute('title')).toBe(reason)
      await page.locator('.band').getByText(reason).waitFor()
      await button.click({ force: true })
      await page.keyboard.press('n')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await sound('a locked study')
    })
    lock(false)
  }, 180_000)

  test('a nurse sees the participants of her site and nothing of others, also by addresses', async () => {
    const here = await shared()
    await visiting(here, here.nurse, '/console', async ({ page, counts }) => {
      await page.getByRole('link', { name: /Sleep and Recovery/ }).click()
      await counts('4 participants')
      await page.getByRole('button', { name: 'Register', exact: true }).waitFor()
      const path = new URL(page.url()).pathname
      await page.goto(`${here.base}${path}?f.site=${here.northfield}`)
      await page.getByText('Nobody fits these filters').waitFor()
      await page.getByRole('button', { name: 'Remove all filters' }).click()
      await counts('4 participants')
      await page.goto(`${here.base}/console/other/participants`)
      await page.getByRole('heading', { name: 'There is no such study, or you have no access to it' }).waitFor()
    })
  }, 180_000)

  test('when the session ends, the person signs in over the page, and what they sent is done', async () => {
    const here = await shared()
    await visiting(here, here.owner, GRID, async ({ page, sound, counts }) => {
      await counts('30 participants')
      await page.keyboard.press('n')
      await page.getByLabel('ID', { exact: true }).fill('P-9001')
      here.db.delete(sessions).where(eq(sessions.user, here.owner._id)).run()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
      await sound('the end of a session')
      // Nothing leads past it.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      expect(await page.getByRole('heading', { name: 'Your session has ended' }).isVisible()).toBe(true)
      expect(await page.locator('dialog.sign-in-again [name=email]').inputValue()).toBe(here.owner.email)
      await page.locator('dialog.sign-in-again [name=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('P-9001 is registered.').waitFor()
      await counts('31 participants')
      await page.getByRole('complementary', { name: 'P-9001' }).waitFor()
    })
    const { participants } = await here.owner.do('listParticipants', here.trial, { term: 'P-9001' })
    await here.owner.do('deleteParticipant', here.trial, participants[0]!._id, { reason: 'made for a test' })
  }, 180_000)

  test('a wrong password says so, and somebody without studies reads what to do', async () => {
    const here = await shared()
    const guest = here.invite([])
    await here.signIn(guest)
    await visiting(here, { email: 'nobody@example.org' }, '/console', async ({ page, sound }) => {
      await page
        .getByRole('alert')
        .getByText(/The e-mail address, password or code is not right/)
        .waitFor()
      await sound('a wrong password')
      await signIn(page, guest.email)
      await page.getByText('You have no studies yet').waitFor()
      await sound('no studies')
    })
  }, 180_000)
})
