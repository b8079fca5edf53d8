/** Two people and one device: nobody sees, sends or loses what is another's. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { PASSWORD } from './appStudy'
import { chromium, violations } from './browser'
import { IMAGE, keptText, online, openForm, rate, readDeviceRecords, send, signIn, visit, type Ward } from './ward'
import { onWard } from './wardStory'

const DAY = 86_400_000
const SECRET = 'Anna cannot sleep <img src=//elsewhere.test/x onerror=alert(1)>'
/** A form with a text of its own words, and a photograph. */
async function makeDiary({ call, trial, mood, photo }: Ward) {
  const words: string = (
    await call('POST', `/trials/${trial}/data-types`, { name: 'Your words', code: 'words', format: 'text' })
  )._id
  const components = [mood, words, photo].map((dataType) => ({ id: dataType, dataType, title: `About ${dataType}` }))
  const diary: string = (await call('POST', `/trials/${trial}/stages`, { name: 'Night', adHoc: true, components }))._id
  return { words, diary }
}

async function answer(page: Page, where: Ward, words: string): Promise<void> {
  await rate(page, 2)
  await page.locator(`[id="answer-${words}"]`).fill(SECRET)
  const file = { name: 'Anna in bed.png', mimeType: 'image/png', buffer: IMAGE }
  await page.locator(`[id="answer-${where.photo}"]`).setInputFiles(file)
  await page.getByText('Anna in bed.png').waitFor()
}

/** Signs out by the page, after the question. */
async function signOut(page: Page, { base }: Ward): Promise<void> {
  await page.goto(`${base}/app/you`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Welcome', exact: true }).waitFor()
}

/** Every page of the app as the person sees it. */
async function everyPage(page: Page, { base }: Ward, forms: readonly string[]): Promise<string> {
  const paths = ['', 'messages', 'calendar', 'more', 'you', 'resources', 'food', 'connections', 'waiting']
  let seen = ''
  for (const path of [...paths, ...forms.map((form) => `stages/${form}`)]) {
    await page.goto(`${base}/app/${path}`)
    await page.locator('h1').waitFor()
    await page.waitForLoadState('networkidle')
    seen += `${await page.content()}\n`
    const values = await page
      .locator('input, textarea')
      .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
    seen += `${values.join('\n')}\n`
  }
  return seen
}

/** What nobody but Anna may see. */
const hers = [SECRET.slice(0, 17), 'Anna in bed', 'P-1', 'I told nobody else']

describe.skipIf(!chromium)('a device of two people', () => {
  test(
    'shows nothing of one who signed out without a connection, sends nothing of theirs for the other, and loses nothing',
    onWard(async (page, where) => {
      const { base, anna, bert, forms, call, trial, entries, stored } = where
      const { words, diary } = await makeDiary(where)
      await visit(page, where, diary)
      await visit(page, where, forms.diary)
      await visit(page, where, forms.note)
      await online(page, false)
      await openForm(page, where, diary)
      await answer(page, where, words)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      await openForm(page, where, forms.diary)
      await rate(page, 5)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      await page.goto(`${base}/app/messages`)
      await page.locator('#message').fill('I told nobody else')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.locator('.bubble', { hasText: 'I told nobody else' }).waitFor()
      await page.goto(`${base}/app/messages`)
      await openForm(page, where, forms.note)
      await rate(page, 3)
      await until(async () => (await readDeviceRecords(page)).drafts.length === 1)
      const waiting = (await readDeviceRecords(page)).queue.map(({ id }) => String(id))
      expect(waiting).toHaveLength(2)
      await signOut(page, where)
      await page.getByText('2 forms of another participant wait on this device').waitFor()
      expect(await violations(page)).toEqual([])
      // What was begun is gone, as she was asked; what waits is hers.
      const left = await readDeviceRecords(page)
      expect([left.own, left.copies, left.drafts]).toEqual([[], [], []])
      expect(left.queue.map(({ id, who }) => [id, who])).toEqual(waiting.map((id) => [id, `${trial}/${anna}`]))

      // Bert signs in on the same device, and answers the same forms.
      await online(page, true)
      const asked: string[] = []
      page.on('request', (request) => {
        asked.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`)
      })
      await page.getByRole('button', { name: 'Somebody else?' }).click()
      await signIn(page, where, 'P-2')
      await openForm(page, where, forms.diary)
      await rate(page, 1)
      await send(page)
      await page.getByText('Thank you. Your answers have arrived.').waitFor()
      await page.goto(`${base}/app/waiting`)
      await page.getByText('2 forms of another participant wait on this device').waitFor()
      expect(await page.locator('.kept').count()).toBe(0)
      expect(await violations(page)).toEqual([])
      const seen = await everyPage(page, where, [diary, forms.diary, forms.note])
      for (const word of [...hers, ...waiting, anna]) {
        expect(seen).not.toContain(word)
        expect(asked.filter((each) => each.includes(word))).toEqual([])
      }
      expect(entries(anna)).toEqual([])
      expect(entries(bert)).toHaveLength(1)
      const { messages } = await call('GET', `/trials/${trial}/participants/${bert}/messages`)
      expect(messages).toEqual([])
      await signOut(page, where)

      // When Anna is back, everything of hers goes, once, as hers.
      await page.getByRole('button', { name: 'Somebody else?' }).click()
      await signIn(page, where)
      await page.goto(`${base}/app/waiting`)
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual(waiting)
      expect(entries(bert)).toHaveLength(1)
      const [night, ...more] = await stored(anna, diary)
      expect(more).toEqual([])
      expect(night?.response[words]?.value).toBe(SECRET)
      expect(night?.response[where.photo]?.value).toMatchObject({ name: 'Anna in bed.png' })
      const scores = async (who: string) =>
        (await stored(who, forms.diary)).map(({ response }) => response[where.mood]?.value)
      expect([await scores(anna), await scores(bert)]).toEqual([[5], [1]])
      const own = await call('GET', `/trials/${trial}/participants/${anna}/messages`)
      expect(own.messages.filter(({ message }: { message: string }) => message.includes('nobody else'))).toHaveLength(1)
      expect(await keptText(page)).not.toContain(SECRET)
    }),
    180_000,
  )

  test(
    'keeps drafts and entries of one whose session ended while another signs in by a link, and sends them when they are back',
    onWard(async (page, where) => {
      const { base, anna, bert, forms, call, trial, entries, stored } = where
      const { words, diary } = await makeDiary(where)
      await visit(page, where, diary)
      await visit(page, where, forms.diary)
      await online(page, false)
      await openForm(page, where, forms.diary)
      await rate(page, 4)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      await openForm(page, where, diary)
      await answer(page, where, words)
      await until(async () => (await readDeviceRecords(page)).drafts.length === 1)
      const [waiting] = (await readDeviceRecords(page)).queue.map(({ id }) => id)
      await call('PUT', `/trials/${trial}/participants/${anna}`, { password: 'another horse' })
      await online(page, true)
      await page.getByRole('dialog').getByText('Nothing is lost').first().waitFor()
      expect(await violations(page)).toEqual([])
      expect(entries(anna)).toEqual([])

      const { url } = await call('POST', `/trials/${trial}/participants/${bert}/grants`, {})
      await page.goto(`${base}/app/join/${new URL(url).searchParams.get('grant')}`)
      await page.getByRole('heading', { name: 'Welcome to Breath and sleep after surgery' }).waitFor()
      await openForm(page, where, diary)
      expect(await page.getByText('Your answers from before are still here').count()).toBe(0)
      await page.locator(`[id="answer-${words}"]`).fill('Bert sleeps well.')
      await send(page)
      await page.getByText('Thank you. Your answers have arrived.').waitFor()
      const seen = await everyPage(page, where, [diary, forms.diary])
      for (const word of hers) expect(seen).not.toContain(word)
      expect([entries(anna), entries(bert).length]).toEqual([[], 1])
      const copies = (await readDeviceRecords(page)).copies.map(({ who }) => who)
      expect(copies).not.toContain(`${trial}/${anna}`)
      await signOut(page, where)

      await page.locator('[name=password]').waitFor()
      await signIn(page, where, 'P-1', 'another horse')
      await page.goto(`${base}/app/waiting`)
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual([waiting])
      await openForm(page, where, diary)
      await page.getByText('Your answers from before are still here').waitFor()
      expect(await page.locator(`[id="answer-${words}"]`).inputValue()).toBe(SECRET)
      await send(page)
      await page.getByText('Thank you. Your answers have arrived.').waitFor()
      expect(entries(anna)).toHaveLength(2)
      const value = async (who: string) => (await stored(who, diary)).map(({ response }) => response[words]?.value)
      expect([await value(anna), await value(bert)]).toEqual([[SECRET], ['Bert sleeps well.']])
    }),
    180_000,
  )

  test(
    'whose session ended sends what waits once, when the same person enters the new password',
    onWard(async (page, where) => {
      const { base, anna, forms, call, trial, entries, stored } = where
      await visit(page, where, forms.diary)
      await online(page, false)
      for (const points of [1, 2, 3]) {
        await openForm(page, where, forms.diary)
        await rate(page, points)
        await send(page)
        await page.getByText('Your answers are kept on this device').waitFor()
      }
      // Browsers delete what is not used for long.
      await page.clock.fastForward(6 * DAY)
      await page.goto(`${base}/app/waiting`)
      await page.getByText('Something has waited for days').waitFor()
      expect(await violations(page)).toEqual([])
      const waiting = (await readDeviceRecords(page)).queue.map(({ id }) => id)
      await call('PUT', `/trials/${trial}/participants/${anna}`, { password: 'another horse' })
      await online(page, true)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Password').fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Sign in' }).click()
      await dialog.getByText('That did not match').waitFor()
      expect((await readDeviceRecords(page)).queue.map(({ id, state }) => [id, state])).toEqual(
        waiting.map((id) => [id, 'waiting']),
      )
      await dialog.getByLabel('Password').fill('another horse')
      await dialog.getByRole('button', { name: 'Sign in' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.goto(`${base}/app/waiting`)
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual(waiting)
      const points = (await stored(anna, forms.diary)).map(({ response }) => response[where.mood]?.value)
      expect(points.toSorted()).toEqual([1, 2, 3])
    }),
    180_000,
  )
})
