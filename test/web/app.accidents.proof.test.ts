/** What people do without meaning to, or before the app is ready: it answers nothing for them, and loses nothing of theirs. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { goTo, onDevice, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, violations } from './browser'
import { enlargeTexts, tooWide } from './layout'
import { readDeviceRecords } from './ward'

const formats: Record<string, Record<string, unknown>> = {
  words: { format: 'text' },
  remark: { format: 'text' },
  pain: { format: 'slider', min: 0, max: 100 },
  score: { format: 'rating', min: 0, max: 10, minLabel: 'Not at all', maxLabel: 'Completely' },
  ill: { format: 'choice', options: [{ label: 'Yes' }, { label: 'No' }] },
  day: { format: 'date' },
  bed: { format: 'time' },
  wound: { format: 'image' },
}

type Question = { code: string; isRequired?: boolean; onlyIfIll?: boolean }

/** Makes a form of these questions. Returns the stage, and the data types by code. */
async function formOf({ call, trial }: StudyVisit, asked: readonly Question[], fields: Record<string, unknown> = {}) {
  const ids: Record<string, string> = {}
  for (const { code } of asked)
    ids[code] = (
      await call('POST', `/trials/${trial}/data-types`, { name: code, code, ...(formats[code] ?? { format: 'text' }) })
    )._id
  const components = asked.map(({ code, isRequired = false, onlyIfIll }) => ({
    ...{ id: code, dataType: ids[code], title: `About ${code}`, isRequired },
    ...(onlyIfIll ? { condition: { dataType: ids.ill, operator: 'equal', value: 'Yes' } } : {}),
  }))
  const stage = await call('POST', `/trials/${trial}/stages`, { name: 'A form', adHoc: true, components, ...fields })
  return { stage: stage._id as string, ids }
}

async function storedOf({ call, trial, anna }: StudyVisit, stage: string): Promise<Record<string, { value: unknown }>> {
  const { responses } = await call('GET', `/trials/${trial}/participants/${anna}/responses`)
  return responses.find((each: { stage: string }) => each.stage === stage).response
}

const control = (page: Page, id: string | undefined) => page.locator(`[id="answer-${id}"]`)
const sendButton = (page: Page) => page.locator('form button.main')
const isFocused = (page: Page, id: string | undefined) =>
  page.waitForFunction((wanted) => document.activeElement?.id === wanted, `answer-${id}`)

async function sent(page: Page): Promise<void> {
  await sendButton(page).click()
  await page.getByText('Thank you. Your answers have arrived.').waitFor()
}

describe.skipIf(!chromium)('a form', () => {
  test('takes no answer of a slider from the key that led to it, held down or not; its own key answers', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOf(where, [{ code: 'words' }, { code: 'pain' }])
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        const unanswered = page.locator('.slider.untouched')
        await control(page, ids.words).fill('Quiet')
        await page.keyboard.down('Enter')
        await isFocused(page, ids.pain)
        await page.keyboard.down('Enter')
        await page.keyboard.up('Enter')
        await control(page, ids.words).focus()
        await unanswered.waitFor()
        await control(page, ids.pain).focus()
        await page.keyboard.press('Enter')
        await page.locator('.slider-value', { hasText: '50' }).waitFor()
        // The button that removes the answer gives the focus to the slider while its key is down.
        await page.getByRole('button', { name: 'Remove the answer to “About pain”' }).focus()
        await page.keyboard.down('Enter')
        await isFocused(page, ids.pain)
        await page.keyboard.up('Enter')
        await control(page, ids.words).focus()
        await unanswered.waitFor()
        await sent(page)
        expect((await storedOf(where, stage))[ids.pain!]?.value ?? null).toBeNull()
      })
    })
  }, 180_000)

  test('says that a date or time is half there, and does not leave it out', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOf(where, [{ code: 'day' }, { code: 'bed' }])
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        await control(page, ids.day).focus()
        await page.keyboard.type('12')
        await sendButton(page).click()
        const fault = page.locator('.question .fault')
        await fault.getByText('Enter the whole date, or remove what is there.').waitFor()
        await page.locator('.summary a').click()
        await isFocused(page, ids.day)
        expect(await violations(page)).toEqual([])
        await page.keyboard.type('12122026')
        await control(page, ids.bed).focus()
        await fault.waitFor({ state: 'detached' })
        // What was half there is removed, and the question is blank again.
        await page.keyboard.type('11')
        await control(page, ids.day).focus()
        await fault.getByText('Enter the whole time, or remove what is there.').waitFor()
        await control(page, ids.bed).focus()
        await page.keyboard.press('Backspace')
        await control(page, ids.day).focus()
        await fault.waitFor({ state: 'detached' })
        await sent(page)
        const stored = await storedOf(where, stage)
        expect(stored[ids.day!]?.value).toMatch(/^2026-12-12T/)
        expect(stored[ids.bed!]?.value ?? null).toBeNull()
      })
    })
  }, 180_000)

  test('goes on by Enter neither with half a date', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOf(where, [{ code: 'day' }, { code: 'words' }], { oneQuestionPerScreen: true })
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        await control(page, ids.day).focus()
        await page.keyboard.type('12')
        await page.keyboard.press('Enter')
        await page.locator('.question .fault').getByText('Enter the whole date, or remove what is there.').waitFor()
        await isFocused(page, ids.day)
        await page.keyboard.type('12122026')
        await page.keyboard.press('Enter')
        await isFocused(page, ids.words)
      })
    })
  }, 180_000)

  test('shows a scale from 0 to 10 in one row, or as a list with its ends where a row is too narrow, never in two rows', async () => {
    await withStudy(async (where) => {
      const { stage } = await formOf(where, [{ code: 'score' }])
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        await page.locator('.point').nth(10).waitFor()
        const shape = async () => {
          const boxes = await Promise.all((await page.locator('.point').all()).map((each) => each.boundingBox()))
          const count = (side: 'x' | 'y') => new Set(boxes.map((box) => Math.round(box?.[side] ?? -1))).size
          expect(boxes.filter((box) => !box || box.width < 24 || box.height < 47.9)).toEqual([])
          expect(await page.evaluate(tooWide)).toEqual([])
          return [count('x'), count('y'), await page.locator('.anchor').filter({ visible: true }).count()]
        }
        for (const [width, columns, rows] of [
          ...[
            [390, 11, 1] as const,
            [360, 11, 1] as const,
            [844, 11, 1] as const,
            [320, 11, 1] as const,
            [280, 1, 11] as const,
          ],
        ]) {
          await page.setViewportSize({ width, height: 700 })
          expect([width, ...(await shape()).slice(0, 2)]).toEqual([width, columns, rows])
        }
        await page.setViewportSize({ width: 390, height: 844 })
        await enlargeTexts(page, 32)
        expect((await shape()).slice(0, 2)).toEqual([1, 11])
        expect(await page.locator('.anchor', { hasText: 'Completely' }).isVisible()).toBe(true)
        expect(await violations(page)).toEqual([])
      })
    })
  }, 180_000)

  test('lists five of the questions that need an answer, from its heading on, and all if somebody asks; none with one question a screen', async () => {
    await withStudy(async (where) => {
      const asked = Array.from({ length: 12 }, (_, at) => ({ code: `q${at}`, isRequired: true }))
      const { stage, ids } = await formOf(where, asked)
      const { components } = await where.call('GET', `/stages/${stage}`)
      const { _id: steps } = await where.call('POST', `/trials/${where.trial}/stages`, {
        ...{ name: 'Steps', adHoc: true, oneQuestionPerScreen: true },
        components: components.slice(0, 2),
      })
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        const [heading, entries] = [page.locator('.summary h2'), page.locator('.summary li')]
        for (let attempt = 0; attempt < 2; attempt++) {
          await sendButton(page).click()
          await page.locator('.summary:focus').waitFor()
          await heading.filter({ hasText: '12 questions need an answer' }).waitFor()
          const top = (await heading.boundingBox())?.y ?? -1
          expect(top >= 0 && top < 200).toBe(true)
        }
        expect(await entries.allTextContents()).toEqual([0, 1, 2, 3, 4].map((at) => `About q${at}`))
        expect(await violations(page)).toEqual([])
        await page.getByRole('button', { name: 'Show all 12' }).click()
        await entries.nth(11).waitFor()
        await page.locator('.summary:focus').waitFor()
        await page.getByRole('button', { name: 'Go to the first' }).click()
        await isFocused(page, ids.q0)
        await control(page, ids.q0).fill('Yes')
        await control(page, ids.q1).focus()
        await heading.filter({ hasText: '11 questions need an answer' }).waitFor()
        await page.goto(`${where.base}/app/stages/${steps}`)
        await control(page, ids.q0).fill('Yes')
        await sendButton(page).click()
        await isFocused(page, ids.q1)
        await sendButton(page).click()
        await page.locator('.question .fault').waitFor()
        await isFocused(page, ids.q1)
        expect(await page.locator('.summary').count()).toBe(0)
      })
    })
  }, 180_000)

  test('goes on by Enter to the fields and to the button that sends: the next Enter neither goes back nor removes anything', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOf(where, [{ code: 'words' }, { code: 'pain' }, { code: 'remark' }], {
        oneQuestionPerScreen: true,
        showProgressBar: true,
      })
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        await control(page, ids.words).fill('Quiet')
        await page.keyboard.press('Enter')
        await isFocused(page, ids.pain)
        await control(page, ids.pain).press('ArrowRight')
        await page.getByRole('button', { name: 'Remove the answer to “About pain”' }).waitFor()
        await sendButton(page).click()
        await isFocused(page, ids.remark)
        await page.keyboard.type('Well')
        await page.keyboard.press('Enter')
        await page.waitForFunction(() => document.activeElement?.matches('button[type=submit]'))
        await page.keyboard.press('Enter')
        await page.getByText('Thank you. Your answers have arrived.').waitFor()
        expect((await storedOf(where, stage))[ids.remark!]?.value).toBe('Well')
      })
    })
  }, 180_000)

  test('is not covered by the menu on a phone, upright or on its side, and has its own way out; a wide screen keeps the menu', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOf(where, [{ code: 'words' }])
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.locator('.menu-bar').waitFor()
        await goTo(page, `stages/${stage}`)
        await control(page, ids.words).fill('Quiet')
        for (const [width, height, hasMenu] of [
          ...[[390, 844, false] as const, [844, 390, false] as const, [1440, 900, true] as const],
        ]) {
          await page.setViewportSize({ width, height })
          const shown = await Promise.all([
            ...[page.locator('.menu-bar').isVisible(), page.locator('.leave').isVisible()],
          ])
          expect([width, ...shown]).toEqual([width, hasMenu, !hasMenu])
          expect(await violations(page)).toEqual([])
        }
        await page.setViewportSize({ width: 390, height: 844 })
        await page.locator('.leave').click()
        await page.locator('.menu-bar').waitFor()
        // What was entered waits on the device.
        await goTo(page, `stages/${stage}`)
        await control(page, ids.words).waitFor()
        expect(await control(page, ids.words).inputValue()).toBe('Quiet')
      })
    })
  }, 180_000)

  test('is not sent before the device has kept the photograph that was chosen; one that cannot be kept is told', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOf(where, [{ code: 'words' }, { code: 'wound' }])
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        await control(page, ids.words).fill('Red')
        const jpeg = await page.evaluate(() => {
          const drawn = Object.assign(document.createElement('canvas'), { width: 40, height: 30 }).toDataURL(
            'image/jpeg',
          )
          // A slow device.
          const made = globalThis.createImageBitmap
          const gate = new Promise<void>((open) => Object.assign(globalThis, { goOn: open }))
          globalThis.createImageBitmap = ((...given: Parameters<typeof made>) =>
            gate.then(() => made(...given))) as typeof made
          return drawn.slice(drawn.indexOf(',') + 1)
        })
        const photo = { name: 'wound.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(jpeg, 'base64') }
        await control(page, ids.wound).setInputFiles(photo)
        await page.getByText('Keeping the file on this device').waitFor()
        expect(await violations(page)).toEqual([])
        await sendButton(page).click({ force: true })
        expect(await sendButton(page).getAttribute('aria-disabled')).toBe('true')
        await page.evaluate(() => (globalThis as unknown as { goOn(): void }).goOn())
        await page.locator('.file-name', { hasText: 'wound.jpg' }).waitFor()
        expect(await control(page, ids.words).inputValue()).toBe('Red')
        await page.evaluate(() => {
          const { put } = IDBObjectStore.prototype
          IDBObjectStore.prototype.put = function (...given: Parameters<typeof put>) {
            if (given[0].name === 'second.jpg') throw new DOMException('No room', 'QuotaExceededError')
            return put.apply(this, given)
          }
        })
        await control(page, ids.wound).setInputFiles({ ...photo, name: 'second.jpg' })
        await page.getByText('This device did not keep your answers.').waitFor()
        await sent(page)
        await until(async () => (await storedOf(where, stage))[ids.wound!] !== undefined)
        expect((await storedOf(where, stage))[ids.wound!]?.value).toMatchObject({ name: 'wound.jpg' })
      })
    })
  }, 180_000)

  test('stays at its question where an answer adds one before it, after a reload too', async () => {
    await withStudy(async (where) => {
      const asked = [{ code: 'words' }, { code: 'pain', onlyIfIll: true }, { code: 'ill' }, { code: 'bed' }]
      const { stage, ids } = await formOf(where, asked, { oneQuestionPerScreen: true, showProgressBar: true })
      await onDevice(async (page) => {
        await signIn(page, where)
        await goTo(page, `stages/${stage}`)
        await control(page, ids.words).waitFor()
        await sendButton(page).click()
        await isFocused(page, ids.ill)
        await page.getByText('Yes', { exact: true }).click()
        await page.getByText('3 of 4').waitFor()
        expect(await control(page, ids.ill).isChecked()).toBe(true)
        await until(async () => (await readDeviceRecords(page)).drafts[0]?.screen === 2)
        await page.reload()
        await control(page, ids.ill).waitFor()
        await page.getByText('No', { exact: true }).click()
        await page.getByText('2 of 3').waitFor()
        expect(await page.getByText('About ill').isVisible()).toBe(true)
        await page.getByText('Yes', { exact: true }).click()
        await page.locator('form').getByRole('button', { name: 'Back' }).click()
        await isFocused(page, ids.pain)
        await page.goBack()
        await control(page, ids.ill).waitFor()
      })
    })
  }, 180_000)

  test('shows the line breaks of the study team, before and after it is sent', async () => {
    await withStudy(async (where) => {
      const [description, postSubmissionText] = ['Think of today.\n\nAnd of the night.', 'Sleep well.\nUntil Monday.']
      const { _id: words } = await where.call('POST', `/trials/${where.trial}/data-types`, {
        ...{ name: 'words', code: 'words', format: 'text' },
      })
      const { _id: stage } = await where.call('POST', `/trials/${where.trial}/stages`, {
        ...{ name: 'A form', adHoc: true, description, postSubmissionText },
        components: [
          { id: 'title', type: 'title', title: 'Today', description },
          { id: 'words', dataType: words, title: 'Words', description, isRequired: false },
        ],
      })
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${stage}`)
        await control(page, words).fill('Quiet')
        for (const part of ['.lead', '.heading .note', '.question .note'])
          expect([part, ...(await page.locator(part).allInnerTexts())]).toEqual([part, description])
        await sent(page)
        expect(await page.locator('.after-text').allInnerTexts()).toEqual([postSubmissionText])
      })
    })
  }, 180_000)
})
