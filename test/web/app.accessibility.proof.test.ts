/** Forms in reach of everybody: with the keyboard alone, with a screen reader, on narrow screens, with large texts, from right to left. */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onDevice, phone, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, violations } from './browser'
import { formOfEveryFormat, questions } from './everyFormat'
import { descriptionOf, enlargeTexts, narrowestPoint, tooWide, underTheMenu } from './layout'

type Ids = Readonly<Record<string, string>>

const control = (page: Page, id: string | undefined, part = '') => page.locator(`[id="answer-${id}${part}"]`)
const hasFocus = (page: Page, id: string | undefined, part = '') =>
  page.waitForFunction((wanted) => document.activeElement?.id === wanted, `answer-${id}${part}`)

/** Goes on by the keyboard until the focus is on this control. @param key that goes on */
async function tabTo(page: Page, id: string | undefined, part = ''): Promise<void> {
  const isThere = () => page.evaluate((wanted) => document.activeElement?.id === wanted, `answer-${id}${part}`)
  for (let steps = 0; steps < 40 && !(await isThere()); steps++) await page.keyboard.press('Tab')
  await hasFocus(page, id, part)
}

async function openForm(page: Page, where: StudyVisit, stage: string): Promise<void> {
  await signIn(page, where)
  await page.goto(`${where.base}/app/stages/${stage}`)
  await page.locator('.question').first().waitFor()
}

/** Answers every question but those for files, without a mouse. */
async function answerByKeyboard(page: Page, ids: Ids): Promise<void> {
  const { keyboard } = page
  await tabTo(page, ids.call)
  await keyboard.type('Anna')
  // Enter goes on, and sends nothing.
  await keyboard.press('Enter')
  await hasFocus(page, ids.night)
  await keyboard.type('Calm.')
  await tabTo(page, ids.pulse)
  await keyboard.type('64')
  await keyboard.press('Enter')
  await hasFocus(page, ids.warmth)
  await keyboard.type('36.6')
  // Where the thumb rests is no answer before somebody says so.
  await tabTo(page, ids.pain)
  expect(await control(page, ids.pain).getAttribute('aria-valuetext')).toBe('Not answered yet')
  await keyboard.press('Enter')
  await page.locator('.slider-value', { hasText: '50' }).waitFor()
  await keyboard.press('ArrowRight')
  await page.locator('.slider-value', { hasText: '51' }).waitFor()
  await tabTo(page, ids.rest)
  for (const at of [0, 1, 2]) await keyboard.press(at === 0 ? 'Space' : 'ArrowRight')
  await tabTo(page, ids.since)
  await keyboard.type('02282026')
  await tabTo(page, ids.dose)
  await keyboard.type('030120260730AM')
  await tabTo(page, ids.bed)
  await keyboard.type('1015PM')
  await tabTo(page, ids.smokes)
  await keyboard.press('Space')
  await keyboard.press('ArrowDown')
  // An exclusive option takes the others away, and is taken away by them.
  await tabTo(page, ids.signs)
  for (const key of ['Space', 'Tab', 'Tab', 'Tab', 'Space']) await keyboard.press(key)
  const boxes = page.locator(`[name="answer-${ids.signs}"]`)
  await page.waitForFunction(
    (name) => document.querySelectorAll(`[name="${name}"]:checked`).length === 1,
    `answer-${ids.signs}`,
  )
  expect(await boxes.last().isChecked()).toBe(true)
  await keyboard.press('Shift+Tab')
  await keyboard.press('Space')
  expect([await boxes.nth(2).isChecked(), await boxes.last().isChecked()]).toEqual([true, false])
  // Long lists are searched.
  const search = page.getByRole('searchbox')
  for (let steps = 0; steps < 10 && !(await search.evaluate((each) => each === document.activeElement)); steps++)
    await keyboard.press('Tab')
  await keyboard.type('met')
  await page.getByText('2 options').waitFor()
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await tabTo(page, ids.mood)
  await keyboard.press('Space')
  await tabTo(page, ids.mood, '-s1')
  await keyboard.press('Space')
  await keyboard.press('ArrowDown')
  // A row that is added can be filled in at once, and after one that is removed the keyboard goes on where it was.
  await tabTo(page, ids.drugs)
  await keyboard.press('Enter')
  await hasFocus(page, ids.drugs, '-0-n')
  await keyboard.type('Honey')
  for (let steps = 0; steps < 20; steps++) {
    await keyboard.press('Tab')
    if (await page.evaluate(() => document.activeElement?.textContent === 'Add an entry')) break
  }
  await keyboard.press('Enter')
  await hasFocus(page, ids.drugs, '-1-n')
  await page.getByRole('button', { name: 'Remove this entry: 2 of' }).focus()
  await keyboard.press('Enter')
  await hasFocus(page, ids.drugs, '-0-n')
  await tabTo(page, ids.body)
  await keyboard.type('172')
  await keyboard.press('Enter')
  await hasFocus(page, ids.body, '-weight')
  await keyboard.type('68')
}

describe.skipIf(!chromium)('a form in reach', () => {
  test('the keyboard alone answers every format; what is removed gives the focus back; a screen reader hears what belongs to a control', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOfEveryFormat(where.call, where.trial)
      await onDevice(async (page) => {
        await openForm(page, where, stage)
        await answerByKeyboard(page, ids)
        await page.getByRole('button', { name: 'Remove the answer to “How strong is your pain now?”' }).focus()
        await page.keyboard.press('Enter')
        await hasFocus(page, ids.pain)
        await page.keyboard.press('Home')
        // The unit, the limits and what is wrong are read with the field; a cell with several options is a group with a name.
        const pulse = page.getByRole('textbox', { name: 'Your pulse at rest' })
        expect(await pulse.evaluate(descriptionOf)).toBe('beats a minute From 30 to 220')
        expect(await control(page, ids.pain).evaluate(descriptionOf)).toBe('No pain at all, The worst pain imaginable')
        const rating = page.getByRole('group', { name: 'How rested do you feel?' })
        expect(await rating.evaluate(descriptionOf)).toBe('0: Not at all 10: Completely')
        expect(await page.getByRole('group', { name: 'Did it help?' }).getByRole('radio').count()).toBe(2)
        await page.locator('form button.main').focus()
        await page.keyboard.press('Enter')
        await page.getByText('Thank you. Your answers have arrived.').waitFor()
        await page.waitForFunction(() => document.activeElement?.role === 'status')
        expect(await violations(page)).toEqual([])
      })
      const { responses } = await where.call('GET', `/trials/${where.trial}/participants/${where.anna}/responses`)
      const [{ response }] = responses.filter((each: { stage: string }) => each.stage === stage)
      const codes = Object.keys(questions).filter((code) => !['wound', 'walk', 'letter'].includes(code))
      expect(codes.map((code) => [code, response[ids[code] ?? '']?.value])).toEqual([
        ...[
          ['call', 'Anna'],
          ['night', 'Calm.'],
          ['pulse', 64],
          ['warmth', 36.6],
          ['pain', 0],
          ['rest', 2],
        ],
        ['since', expect.stringMatching(/^2026-02-28T/)],
        ['dose', expect.stringMatching(/^2026-03-01T06:30/)],
        ...[
          ['bed', '22:15'],
          ['smokes', ['No']],
        ],
        ['signs', ['Shortness of breath when climbing stairs or walking quickly']],
        ...[
          ['medicine', ['Metformin']],
          ['mood', { a: 0, b: 1 }],
          ['drugs', [{ n: 'Honey' }]],
        ],
        ['body', expect.objectContaining({ height: 172, weight: 68 })],
        ['twice', 128],
      ])
    })
  }, 180_000)

  const looks: [string, BrowserContextOptions, number][] = [
    ['320 px in German', { ...phone, viewport: { width: 320, height: 640 }, locale: 'de-DE' }, 16],
    [
      '320 px in Arabic, dark, and texts of twice the size',
      { ...phone, viewport: { width: 320, height: 640 }, locale: 'ar', colorScheme: 'dark' },
      32,
    ],
    ['768 px and texts of twice the size', { ...phone, viewport: { width: 768, height: 1024 } }, 32],
  ]

  test('fits on narrow screens and with large texts, and the menu hides nothing that has the focus', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOfEveryFormat(where.call, where.trial)
      for (const [name, options, size] of looks) {
        await onDevice(async (page) => {
          await openForm(page, where, stage)
          await enlargeTexts(page, size)
          await control(page, ids.drugs).click()
          await control(page, ids.pulse).fill('300')
          expect(await page.evaluate(narrowestPoint)).toBeGreaterThanOrEqual(24)
          // Without the mouse: it waits for two frames, and a browser that gets no CPU draws none for long.
          await control(page, ids.rest).evaluate((input) => (input as HTMLElement).click())
          await page.locator('form button.main').click()
          await page.locator('.summary').waitFor()
          expect([name, await page.evaluate(tooWide), await violations(page)]).toEqual([name, [], []])
          // One after another, as the keyboard goes.
          await control(page, ids.call).focus()
          const hidden: string[] = []
          for (let steps = 0; steps < 30; steps++) {
            await page.keyboard.press('Tab')
            const under = await page.evaluate(underTheMenu)
            if (under) hidden.push(under)
          }
          expect([name, hidden]).toEqual([name, []])
        }, options)
      }
    })
  }, 180_000)

  test('a word that is longer than the screen takes several lines, and height and weight say their limits', async () => {
    await withStudy(async (where) => {
      const word = 'Donaudampfschifffahrtsgesellschaftskapitänskajütentürklinke'
      const scale = [1, 2].map((value) => ({ value, label: `${word} ${value}` }))
      const types = {
        mood: { format: 'likert', scale, statements: [{ key: 'a', label: word }] },
        pain: { format: 'slider', min: 0, max: 9, minLabel: word, maxLabel: word },
        body: { format: 'bmi', minHeight: 100, maxHeight: 220, maxWeight: 300 },
        drugs: { format: 'table', columns: [{ id: 'n', label: word, format: 'text' }] },
      }
      const components: Record<string, unknown>[] = [{ id: 'title', type: 'title', title: word, description: word }]
      const ids: Record<string, string> = {}
      for (const [code, type] of Object.entries(types)) {
        const made = await where.call('POST', `/trials/${where.trial}/data-types`, {
          name: word,
          code: `w_${code}`,
          ...type,
        })
        ids[code] = made._id
        components.push({ id: code, dataType: made._id, title: word, description: word, isRequired: true })
      }
      const fields = { name: word, description: word, components, adHoc: true }
      const { _id: stage } = await where.call('POST', `/trials/${where.trial}/stages`, fields)
      for (const [name, options, size] of looks) {
        await onDevice(async (page) => {
          await openForm(page, where, stage)
          await enlargeTexts(page, size)
          await control(page, ids.drugs).click()
          await page.locator('form button.main').click()
          await page.locator('.summary').waitFor()
          expect([name, await page.evaluate(tooWide), await violations(page)]).toEqual([name, [], []])
          const limits = await control(page, ids.body).evaluate(descriptionOf)
          expect(limits).toContain('100')
          expect(limits).toContain('220')
        }, options)
      }
    })
  }, 180_000)

  test('so does every page around it, and what is said about the connection', async () => {
    const around: [string, BrowserContextOptions, number][] = [
      ['390 px in French and texts of twice the size', { ...phone, locale: 'fr-FR' }, 32],
      ['320 px in German', { ...phone, viewport: { width: 320, height: 640 }, locale: 'de-DE' }, 16],
    ]
    await withStudy(async (where) => {
      for (const [name, options, size] of around) {
        await onDevice(async (page) => {
          await signIn(page, where)
          await enlargeTexts(page, size)
          await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
          for (const path of ['messages', 'calendar', 'resources', 'food', 'more', 'you', 'waiting', '']) {
            await page.goto(`${where.base}/app/${path}`)
            await page.locator('main h1').waitFor()
            await page.waitForFunction(() => !document.querySelector('.skeleton'))
            expect([name, path, await page.evaluate(tooWide)]).toEqual([name, path, []])
          }
          await page.context().setOffline(true)
          await page.locator('.status-line').waitFor()
          const line = await page.locator('.status-line').evaluate((each) => [each.scrollWidth, each.clientWidth])
          expect([name, line[0]]).toEqual([name, line[1]])
          expect([name, await page.evaluate(tooWide), await violations(page)]).toEqual([name, [], []])
        }, options)
      }
    })
  }, 180_000)

  test('a fault that appears below a pressed mouse does not take the press away', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await formOfEveryFormat(where.call, where.trial)
      await onDevice(
        async (page) => {
          await openForm(page, where, stage)
          await control(page, ids.body).fill('2')
          const button = page.locator('form button.main')
          await button.scrollIntoViewIfNeeded()
          const { x = 0, y = 0, width = 0 } = (await button.boundingBox()) ?? {}
          await page.mouse.move(x + width / 2, y + 4)
          await page.mouse.down()
          await page.waitForFunction(() => document.activeElement?.classList.contains('main'))
          await page.waitForTimeout(100)
          expect(await page.locator('.question .fault').count()).toBe(0)
          await page.mouse.up()
          await page.locator('.summary').waitFor()
          await page.locator('.part .fault').waitFor()
        },
        { viewport: { width: 1280, height: 800 }, locale: 'en-GB' },
      )
    })
  }, 180_000)
})
