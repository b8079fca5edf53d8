/** Forms in the app: every format, problems, drafts, and answers that are sent without a connection. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { proof } from '../proof'
import { until } from '../until'
import { onDevice, type StudyVisit, signIn, withStudy } from './appVisits'
import { chromium, violations } from './browser'
import { readDeviceRecords } from './ward'

const HOSTILE = '<img src=//elsewhere.test/x onerror=alert(1)> \u202eWhich?'

/** A field of each format, by code. */
const formats: Record<string, Record<string, unknown>> = {
  name: { format: 'text', maxLength: 30, pattern: '[^#]*' },
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
async function makeForm({ call, trial }: StudyVisit) {
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

/** A photograph with the place where it was taken. */
async function photograph(page: Page, width: number, height: number): Promise<Buffer> {
  const text = await page.evaluate(
    ([width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      canvas.getContext('2d')?.fillRect(9, 9, width / 2, height / 2)
      return canvas.toDataURL('image/jpeg')
    },
    [width, height] as const,
  )
  const bytes = Buffer.from(text.slice(text.indexOf(',') + 1), 'base64')
  const place = Buffer.from('\xff\xe1\x00\x12Exif\0\0PLACE-12', 'latin1')
  return Buffer.concat([bytes.subarray(0, 2), place, bytes.subarray(2)])
}

/** The newest photograph that the device keeps. */
const keptPhotograph = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('trialbox')
      opening.onsuccess = () => resolve(opening.result)
    })
    const all = await new Promise<{ bytes: Blob; name: string }[]>((resolve) => {
      const reading = db.transaction('blobs').objectStore('blobs').getAll()
      reading.onsuccess = () => resolve(reading.result)
    })
    db.close()
    const bytes = all.find(({ name }) => name === 'wound.heic.jpeg')?.bytes
    if (!bytes) throw new Error('It is not kept.')
    const { width, height } = await createImageBitmap(bytes)
    return { width, height, isPlaced: (await bytes.text()).includes('PLACE') }
  })

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

type StoredResponses = { responses: { stage: string; response: Record<string, { value: unknown }> }[] }

const storedOf = async ({ call, trial, anna }: StudyVisit, stage: string) => {
  const { responses }: StoredResponses = await call('GET', `/trials/${trial}/participants/${anna}/responses`)
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
          ['name', 'pulse', 'pain', 'smokes', 'mood'].map((code) => `About ${code}`),
        )
        await page.locator('.summary:focus h2', { hasText: '5 questions need an answer' }).waitFor()
        expect(await violations(page)).toEqual([])
        await summary.getByRole('link', { name: 'About pulse' }).click()
        await page.waitForFunction((id) => document.activeElement?.id === id, `answer-${ids.pulse}`)
        await control(page, ids.pulse).fill('300')
        const fault = page.locator(`#answer-${ids.pulse}-fault`)
        expect(await fault.textContent()).toBe('Enter a number from 30 to 220.')
        // Who listens hears it with the field.
        const described = (await control(page, ids.pulse).getAttribute('aria-describedby'))?.split(' ')
        expect(described).toContain(`answer-${ids.pulse}-fault`)
        await control(page, ids.name).fill('Anna #2')
        await control(page, ids.pulse).focus()
        await page.getByText('Enter it in the form that this question asks for.').waitFor()
        await fill(page, ids)
        await page.getByText('128').waitFor()
        expect(await page.locator('.question .fault').count()).toBe(0)
        await until(async () => JSON.stringify((await readDeviceRecords(page)).drafts).includes(ids.cigarettes!))
        await page.reload()
        await page.getByText('Your answers from before are still here').waitFor()
        expect(await control(page, ids.warmth).inputValue()).toBe('36.6')
        expect(await violations(page)).toEqual([])
        await control(page, ids.photo).setInputFiles({
          ...{ name: 'wound.heic.jpeg', mimeType: 'image/jpeg', buffer: await photograph(page, 3000, 1500) },
        })
        await page.getByText('wound.heic.jpeg').waitFor()
        expect(await keptPhotograph(page)).toEqual({ width: 2560, height: 1280, isPlaced: false })
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
        ['photo', expect.objectContaining({ name: 'wound.heic.jpeg' })],
        ['twice', 128],
        ['cigarettes', 12],
      ])
    })
  }, 180_000)

  proof(
    'faults stand at their cell and statement, not before somebody has left the question, and blanks are asked about once',
    async () => {
      await withStudy(async (where) => {
        const { ids } = await makeForm(where)
        const components = ['name', 'signs', 'mood', 'drugs'].map((code) => ({
          ...{ id: code, dataType: ids[code], title: `About ${code}`, isRequired: ['name', 'mood'].includes(code) },
        }))
        const fields = { name: 'Short', adHoc: true, allowIncompleteSubmission: true, components }
        const { _id: stage } = await where.call('POST', `/trials/${where.trial}/stages`, fields)
        await onDevice(async (page) => {
          await signIn(page, where)
          await page.goto(`${where.base}/app/stages/${stage}`)
          await control(page, ids.name).waitFor()
          await page.getByText('You can choose several.').waitFor()
          // From one option to another.
          await page.getByText('Cough', { exact: true }).click()
          await page.getByText('Fever', { exact: true }).click()
          await control(page, ids.drugs).click()
          await control(page, ids.drugs, '-0-d').fill('a lot')
          await control(page, ids.drugs, '-0-n').focus()
          expect(await page.locator('.question .fault').count()).toBe(0)
          await control(page, ids.name).focus()
          const cell = page.locator('.cell.faulty')
          expect(await cell.locator('.fault').textContent()).toBe('Enter a number.')
          expect(await control(page, ids.drugs, '-0-d').getAttribute('aria-invalid')).toBe('true')
          expect(await control(page, ids.drugs, '-0-n').getAttribute('aria-invalid')).toBeNull()
          expect(await violations(page)).toEqual([])
          await sendButton(page).click()
          await page.locator('.summary').getByRole('link').click()
          await page.waitForFunction((id) => document.activeElement?.id === id, `answer-${ids.drugs}-0-d`)
          await control(page, ids.drugs, '-0-d').fill('2.5')
          await page.locator('.statement').nth(0).getByText('Point 2').click()
          await sendButton(page).click()
          const dialog = page.getByRole('dialog')
          await dialog.waitFor()
          expect(await dialog.locator('li').allTextContents()).toEqual(['About name', 'About mood'])
          expect(await violations(page)).toEqual([])
          await dialog.getByRole('button', { name: 'Cancel' }).click()
          await dialog.waitFor({ state: 'detached' })
          await control(page, ids.name).fill('Anna')
          await sendButton(page).click()
          await dialog.waitFor()
          expect(await dialog.locator('li').allTextContents()).toEqual(['About mood'])
          await dialog.getByRole('button', { name: 'Send as it is' }).click()
          await page.getByText('Thank you. Your answers have arrived.').waitFor()
        })
        const [response] = await storedOf(where, stage)
        expect([ids.name, ids.signs, ids.drugs].map((id) => response?.response[id!]?.value)).toEqual([
          ...['Anna', ['Cough', 'Fever'], [{ d: 2.5 }]],
        ])
      })
    },
    180_000,
  )

  proof(
    'one question a screen: the browser goes a question back, and a reload stays where the person was',
    async () => {
      await withStudy(async (where) => {
        const { ids } = await makeForm(where)
        const components = ['name', 'smokes', 'pulse', 'twice'].map((code) => ({
          ...{ id: code, dataType: ids[code], title: `About ${code}`, isRequired: code === 'name' },
        }))
        const fields = { name: 'Steps', adHoc: true, oneQuestionPerScreen: true, showProgressBar: true, components }
        const { _id: stage } = await where.call('POST', `/trials/${where.trial}/stages`, fields)
        await onDevice(async (page) => {
          await signIn(page, where)
          await page.locator(`a[href^="/app/stages/${stage}"]`).first().click()
          const focused = (id: string) =>
            page.waitForFunction((wanted) => document.activeElement?.id === wanted, `answer-${id}`)
          await control(page, ids.name).waitFor()
          await sendButton(page).click()
          // A required question keeps the person here.
          await page.locator('.question .fault').waitFor()
          await control(page, ids.name).fill('Anna')
          await sendButton(page).click()
          await focused(ids.smokes!)
          await page.getByText('No', { exact: true }).click()
          // “Send” takes the place of “Next”: a double press sends nothing, and the focus goes to what is new.
          await sendButton(page).dblclick()
          await focused(ids.pulse!)
          await control(page, ids.pulse).fill('64')
          // What is calculated is no screen of its own, and is shown with the last question.
          await page.getByText('128').waitFor()
          await page.getByText('3 of 3').waitFor()
          await sendButton(page).getByText('Send').waitFor()
          expect(await violations(page)).toEqual([])
          await page.goBack()
          await focused(ids.smokes!)
          expect(await violations(page)).toEqual([])
          await page.goForward()
          await focused(ids.pulse!)
          await page.goBack()
          await focused(ids.smokes!)
          await page.locator('form').getByRole('button', { name: 'Back' }).click()
          await focused(ids.name!)
          await page.goBack()
          await focused(ids.smokes!)
          await until(async () => (await readDeviceRecords(page)).drafts[0]?.screen === 1)
          await page.reload()
          await control(page, ids.smokes).waitFor()
          await page.goBack()
          await control(page, ids.name).waitFor()
          await page.goBack()
          await page.getByRole('heading', { name: 'Today' }).waitFor()
        })
      })
    },
    180_000,
  )

  proof(
    'without a connection the app opens, a form is filled in and waits; an answer that was lost on its way is stored once',
    async () => {
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
          await control(page, ids.name).fill('Anna #2')
          await control(page, ids.pulse).focus()
          await page.getByText('Enter it in the form that this question asks for.').waitFor()
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
    },
    180_000,
  )

  proof(
    'a session that has ended keeps the answers until somebody signs in again',
    async () => {
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
          await until(async () => (await storedOf(where, stage)).length > 0)
          await page.locator('.kept').waitFor({ state: 'detached' })
        })
        expect(await storedOf(where, stage)).toHaveLength(1)
      })
    },
    180_000,
  )
})
