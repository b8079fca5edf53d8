/** Forms in the app: every format, problems, drafts, and answers that are sent without a connection. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { onDevice, signIn, type Where, withStudy } from './appVisits'
import { chromium, violations } from './browser'

const HOSTILE = '<img src=//elsewhere.test/x onerror=alert(1)> \u202eWhich?'

/** A field of each format, by code. */
const formats: Record<string, Record<string, unknown>> = {
  name: { format: 'text', maxLength: 30 },
  story: { format: 'paragraph' },
  pulse: { format: 'integer', min: 30, max: 220, unit: 'beats a minute' },
  warmth: { format: 'float', decimals: 1, min: 34, max: 43, unit: '°C' },
  pain: { format: 'slider', min: 0, max: 100, minLabel: 'None', maxLabel: 'Worst' },
  day: { format: 'rating', min: 1, max: 7 },
  since: { format: 'date' },
  dose: { format: 'datetime' },
  bed: { format: 'time' },
  smokes: { format: 'choice', options: [{ label: 'Yes' }, { label: 'No' }, { label: 'Rather not', missing: true }] },
  signs: {
    format: 'choice',
    multiple: true,
    options: [{ label: 'Cough' }, { label: 'Fever' }, { label: HOSTILE, isExclusive: true }],
  },
  mood: {
    format: 'likert',
    allowNotApplicable: true,
    scale: [0, 1, 2].map((value) => ({ value, label: `Point ${value}` })),
    statements: [
      { key: 'a', label: HOSTILE },
      { key: 'b', label: 'Feeling down' },
    ],
  },
  drugs: {
    format: 'table',
    columns: [
      { id: 'n', label: 'Name', format: 'text' },
      { id: 'd', label: 'Dose', format: 'float' },
    ],
  },
  body: { format: 'bmi' },
  photo: { format: 'image' },
  twice: { format: 'calculation', expression: 'pulse * 2' },
  cigarettes: { format: 'integer', min: 0, max: 200 },
}

const required = ['name', 'pulse', 'pain', 'smokes', 'mood', 'cigarettes']

/** Makes the form. Returns the stage, and the data types by code. */
async function makeForm({ call, trial }: Where) {
  const ids: Record<string, string> = {}
  for (const [code, settings] of Object.entries(formats)) {
    const fields = { name: code, code: `x_${code}`, ...settings }
    if ('expression' in fields) fields.expression = 'x_pulse * 2'
    ids[code] = (await call('POST', `/trials/${trial}/data-types`, fields))._id
  }
  const components = Object.keys(formats).map((code) => ({
    id: code,
    dataType: ids[code],
    title: code === 'story' ? HOSTILE : `About ${code}`,
    isRequired: required.includes(code),
    ...(code === 'cigarettes' ? { condition: { dataType: ids.smokes, operator: 'equal', value: 'Yes' } } : {}),
  }))
  const fields = { name: 'Evening', components, adHoc: true, showProgressBar: true, postSubmissionText: 'Sleep well.' }
  return { stage: (await call('POST', `/trials/${trial}/stages`, fields))._id as string, ids }
}

const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const control = (page: Page, id: string | undefined, part = '') => page.locator(`[id="answer-${id}${part}"]`)
const sendButton = (page: Page) => page.locator('form button.main')

/** Answers every question. */
async function fill(page: Page, ids: Readonly<Record<string, string>>): Promise<void> {
  await control(page, ids.name).fill('Anna')
  await control(page, ids.story).fill('Half \ud83d an emoji, and a whole one 😀')
  await control(page, ids.pulse).fill('64')
  await control(page, ids.warmth).fill('36.6')
  await control(page, ids.pain).click()
  await page.locator('.point', { hasText: '5' }).click()
  await control(page, ids.since).fill('2026-02-28')
  await control(page, ids.dose).fill('2026-03-01T07:30')
  await control(page, ids.bed).fill('22:15')
  await page.getByText('Yes', { exact: true }).click()
  await page.getByText('Cough', { exact: true }).click()
  await page.getByText('Fever', { exact: true }).click()
  await page.locator('.statement').nth(0).getByText('Point 2').click()
  await page.locator('.statement').nth(1).getByText('Not applicable').click()
  await control(page, ids.drugs).click()
  await control(page, ids.drugs, '-0-n').fill('Aspirin')
  await control(page, ids.drugs, '-0-d').fill('500.5')
  await control(page, ids.body).fill('180')
  await control(page, ids.body, '-weight').fill('81')
  await control(page, ids.photo).setInputFiles({ name: 'rash.png', mimeType: 'image/png', buffer: IMAGE })
  await control(page, ids.cigarettes).fill('12')
}

type Stored = { responses: { stage: string; response: Record<string, { value: unknown }> }[] }

const storedOf = async ({ call, trial, anna }: Where, stage: string) => {
  const { responses }: Stored = await call('GET', `/trials/${trial}/participants/${anna}/responses`)
  return responses.filter((each) => each.stage === stage)
}

describe.skipIf(!chromium)('a form in the app', () => {
  test('every format is answered, checked beside its question, kept over a reload, and stored as it was given', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await makeForm(where)
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${stage}`)
        await control(page, ids.name).waitFor()
        expect(await violations(page)).toEqual([])
        await sendButton(page).click()
        const summary = page.locator('.summary')
        await summary.waitFor()
        expect(await summary.locator('li').allTextContents()).toEqual(
          ['name', 'pulse', 'pain', 'smokes', 'mood'].map((code) => `“About ${code}” is required.`),
        )
        expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true)
        expect(await violations(page)).toEqual([])
        await summary.getByRole('link', { name: 'About pulse' }).click()
        await page.waitForFunction((id) => document.activeElement?.id === id, `answer-${ids.pulse}`)
        await control(page, ids.pulse).fill('300')
        await page.getByText('“About pulse” must be from 30 to 220.').first().waitFor()
        await fill(page, ids)
        await page.getByText('128').waitFor()
        expect(await page.locator('.question .fault').count()).toBe(0)
        await page.waitForTimeout(600)
        await page.reload()
        await page.getByText('Your answers from before are still here').waitFor()
        expect(await control(page, ids.warmth).inputValue()).toBe('36.6')
        expect(await violations(page)).toEqual([])
        await sendButton(page).click()
        await page.getByText('Thank you. Your answers have arrived.').waitFor()
        await page.getByText('Sleep well.').waitFor()
      })
      const [response, ...others] = await storedOf(where, stage)
      expect(others).toEqual([])
      const value = (code: string) => response?.response[ids[code]!]?.value
      expect(Object.keys(formats).map((code) => [code, value(code)])).toEqual([
        ['name', 'Anna'],
        ['story', 'Half \ufffd an emoji, and a whole one 😀'],
        ['pulse', 64],
        ['warmth', 36.6],
        ['pain', 50],
        ['day', 5],
        ['since', expect.stringMatching(/^2026-02-28T00:00:00/)],
        // In the zone of the study, Berlin.
        ['dose', expect.stringMatching(/^2026-03-01T06:30:00/)],
        ['bed', '22:15'],
        ['smokes', ['Yes']],
        ['signs', ['Cough', 'Fever']],
        ['mood', { a: 2, b: null }],
        ['drugs', [{ n: 'Aspirin', d: 500.5 }]],
        ['body', { bmi: 25, height: 180, weight: 81 }],
        ['photo', expect.objectContaining({ name: 'rash.png' })],
        ['twice', 128],
        ['cigarettes', 12],
      ])
    })
  }, 180_000)

  test('without a connection the app opens, a form is filled in and waits; an answer that was lost on its way is stored once', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await makeForm(where)
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${stage}`)
        await control(page, ids.name).waitFor()
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
        await page.reload()
        await control(page, ids.name).waitFor()
        await page.context().setOffline(true)
        await page.goto(`${where.base}/app/`)
        await page.getByRole('heading', { name: 'Today' }).waitFor()
        await page.goto(`${where.base}/app/stages/${stage}`)
        await control(page, ids.name).waitFor()
        await fill(page, ids)
        await sendButton(page).click()
        await page.getByText('Your answers are kept on this device').waitFor()
        // The server stores the answers, and the device never hears of it.
        let lost = 0
        await page.route('**/responses?*', async (route) => {
          if (lost++ > 0) return route.fallback()
          await route.fetch()
          await route.abort()
        })
        await page.context().setOffline(false)
        await page.goto(`${where.base}/app/waiting`)
        await page.getByText('Nothing waits').or(page.locator('.empty .icon')).first().waitFor({ timeout: 60_000 })
        expect(lost).toBeGreaterThan(1)
      })
      expect(await storedOf(where, stage)).toHaveLength(1)
    })
  }, 180_000)

  test('a session that has ended keeps the answers until somebody signs in again', async () => {
    await withStudy(async (where) => {
      const { stage, ids } = await makeForm(where)
      await onDevice(async (page) => {
        await signIn(page, where)
        await page.goto(`${where.base}/app/stages/${stage}`)
        await control(page, ids.name).waitFor()
        await fill(page, ids)
        await where.call('PUT', `/trials/${where.trial}/participants/${where.anna}`, { password: 'another horse' })
        await sendButton(page).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Password').fill('another horse')
        await dialog.getByRole('button', { name: 'Sign in' }).click()
        await dialog.waitFor({ state: 'detached' })
        await page.goto(`${where.base}/app/waiting`)
        await page.locator('.kept').waitFor({ state: 'detached', timeout: 60_000 })
      })
      expect(await storedOf(where, stage)).toHaveLength(1)
    })
  }, 180_000)
})
