/** The study team changes a form while answers to it are on a device: nothing that was answered is lost, and the person is told. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { chromium, violations } from './browser'
import { online, openForm, readDeviceRecords, send, visit, type Ward } from './ward'
import { onWard } from './wardStory'

const CHANGED = 'The study team has changed this form since. Your answers that still fit are here.'
const WORDS = 'I dreamt of the sea. <b>Twice</b>'

const control = (page: Page, id: string) => page.locator(`[id="answer-${id}"]`)
const option = (page: Page, label: string) => page.locator('label.option', { hasText: label })
const options = (labels: readonly string[]) => ({ options: labels.map((label) => ({ label })) })
const statements = (labels: readonly string[]) => labels.map((label) => ({ key: label, label }))
const columns = (labels: readonly string[]) => labels.map((label) => ({ id: label, label, format: 'text' }))

/** A form as the person knows it, and how the team changes it. */
async function makeNight({ call, trial }: Ward) {
  const type = async (code: string, fields: object): Promise<string> =>
    (await call('POST', `/trials/${trial}/data-types`, { name: code, code, ...fields }))._id
  const words = await type('words', { format: 'text' })
  const smokes = await type('smokes', { format: 'choice', ...options(['Yes', 'No', 'On Sundays']) })
  const signs = await type('signs', { format: 'choice', multiple: true, ...options(['Cough', 'Fever', 'Rash']) })
  const pulse = await type('pulse', { format: 'integer', min: 30, max: 220 })
  const mood = await type('calm', {
    ...{ format: 'likert', scale: [0, 1].map((value) => ({ value, label: `level ${value}` })) },
    statements: statements(['Calm', 'Cheerful']),
  })
  const drugs = await type('drugs', { format: 'table', columns: columns(['Name', 'Dose']) })
  const weight = await type('weight', { format: 'integer', min: 20, max: 300 })
  const asked = (dataType: string, title: string, isRequired = false) => ({ id: dataType, dataType, title, isRequired })
  const first = [
    asked(words, 'Your dreams'),
    asked(smokes, 'Do you smoke?'),
    asked(signs, 'What did you notice?'),
    asked(pulse, 'Your pulse'),
    asked(mood, 'How were you?'),
    asked(drugs, 'What did you take?'),
  ]
  const night: string = (
    await call('POST', `/trials/${trial}/stages`, { name: 'Night', adHoc: true, components: first })
  )._id
  return {
    ...{ words, smokes, signs, pulse, mood, drugs, weight, night },
    /** A question is gone, one is new and needs an answer; options, a statement and a column are gone; a limit is lower. */
    change: async () => {
      await call('PUT', `/data-types/${smokes}`, options(['Yes', 'No']))
      await call('PUT', `/data-types/${signs}`, options(['Cough', 'Fever']))
      await call('PUT', `/data-types/${pulse}`, { max: 120 })
      await call('PUT', `/data-types/${mood}`, { statements: statements(['Calm']) })
      await call('PUT', `/data-types/${drugs}`, { columns: columns(['Name']) })
      await call('PUT', `/stages/${night}`, { components: [...first.slice(1), asked(weight, 'Your weight', true)] })
    },
    removeDreams: () => call('PUT', `/stages/${night}`, { components: first.slice(1) }),
  }
}
type NightForm = Awaited<ReturnType<typeof makeNight>>

async function answerAll(page: Page, { words, pulse, drugs }: NightForm): Promise<void> {
  await control(page, words).fill(WORDS)
  await option(page, 'On Sundays').click()
  await option(page, 'Cough').click()
  await option(page, 'Rash').click()
  await control(page, pulse).fill('140')
  for (const label of ['Calm', 'Cheerful'])
    await page.locator('.statement', { hasText: label }).locator('label.option', { hasText: 'level 1' }).click()
  await page.getByRole('button', { name: 'Add an entry' }).click()
  await control(page, `${drugs}-0-Name`).fill('Aspirin')
  await control(page, `${drugs}-0-Dose`).fill('100 mg')
}

/** Puts right what does not fit any more, each beside its question, and sends. */
async function putRight(page: Page, { weight, pulse, signs }: NightForm): Promise<void> {
  expect(await page.getByText('Your dreams').count()).toBe(0)
  await send(page)
  const summary = page.locator('.summary')
  await summary.waitFor()
  expect(await summary.locator('li').allTextContents()).toEqual([
    '“Do you smoke?” must be one of: Yes, No.',
    '“What did you notice?” must be one of: Cough, Fever.',
    '“Your pulse” must be from 30 to 120.',
    '“Your weight” is required.',
  ])
  expect(await violations(page)).toEqual([])
  // What was chosen is still there to be seen, and can be taken back.
  expect(await option(page, 'On Sundays').locator('input').isChecked()).toBe(true)
  await option(page, 'No').last().click()
  expect(await option(page, 'Rash').locator('input').isChecked()).toBe(true)
  await option(page, 'Rash').click()
  expect(await option(page, 'Rash').count()).toBe(0)
  expect(await control(page, signs).isChecked()).toBe(true)
  await control(page, pulse).fill('110')
  await control(page, weight).fill('70')
  expect(await violations(page)).toEqual([])
  await send(page)
  await page.getByText('Thank you. Your answers have arrived.').waitFor()
}

/** What the study has in the end: one response, with what the form does not ask any more in its history. */
async function expectStored(where: Ward, form: NightForm): Promise<void> {
  const { smokes, signs, pulse, mood, drugs, weight, words, night } = form
  const { anna, trial, call, stored } = where
  const [answers, ...more] = await stored(anna, night)
  expect(more).toEqual([])
  const values = [smokes, signs, pulse, mood, drugs, weight].map((id) => answers?.response[id]?.value)
  expect(values).toEqual([['No'], ['Cough'], 110, { Calm: 1 }, [{ Name: 'Aspirin' }], 70])
  const { _id } = answers as unknown as { _id: string }
  const { events } = await call('GET', `/trials/${trial}/responses/${_id}/history`)
  const ignored = events.flatMap(({ ignored = [] }: { ignored?: unknown[] }) => ignored)
  expect(ignored).toEqual(
    expect.arrayContaining([
      { key: words, dataType: words, value: WORDS },
      { key: `${mood} before`, dataType: null, value: { Calm: 1, Cheerful: 1 } },
      { key: `${drugs} before`, dataType: null, value: [{ Name: 'Aspirin', Dose: '100 mg' }] },
    ]),
  )
}

const story = (name: string, act: (page: Page, where: Ward, night: NightForm) => Promise<void>) =>
  test(
    name,
    onWard(async (page, where) => {
      const night = await makeNight(where)
      await visit(page, where, night.night)
      await act(page, where, night)
    }),
    180_000,
  )

describe.skipIf(!chromium)('a form that is changed', () => {
  story(
    'while answers wait: they are refused, kept, put right by the person, and stored once',
    async (page, where, night) => {
      const { base, anna, entries, call, trial } = where
      const versions: (string | null)[] = []
      page.on('request', (request) => {
        if (/\/responses\?/.test(request.url())) versions.push(new URL(request.url()).searchParams.get('version'))
      })
      await online(page, false)
      await openForm(page, where, night.night)
      await answerAll(page, night)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      const [before] = (await readDeviceRecords(page)).queue
      await night.change()
      await online(page, true)
      await page.getByText('1 form needs your attention').waitFor()
      await page.goto(`${base}/app/waiting`)
      await page.getByText('The study could not take it as it is. Nothing is lost.').waitFor()
      await page.getByText('“Your weight” is required.').waitFor()
      expect(await violations(page)).toEqual([])
      expect([entries(anna), (await readDeviceRecords(page)).queue.map(({ id, state }) => [id, state])]).toEqual([
        [],
        [[before?.id, 'refused']],
      ])
      await page.getByRole('button', { name: 'Correct it' }).click()
      await page.getByText(CHANGED).waitFor()
      await putRight(page, night)
      await expectStored(where, night)
      const [stored, ...more] = entries(anna)
      expect([typeof stored, stored === before?.id, more]).toEqual(['string', false, []])
      const sent = [...new Set(versions)]
      expect([sent.length, sent[0]]).toEqual([2, before?.version as string])
      const { heldEntries } = await call('GET', `/trials/${trial}/heldEntries`)
      expect(heldEntries).toEqual([])
    },
  )

  story(
    'while a draft waits: it is shown in the form as it is now, with a word about that',
    async (page, where, night) => {
      await online(page, false)
      await openForm(page, where, night.night)
      await answerAll(page, night)
      await until(async () => (await readDeviceRecords(page)).drafts.length === 1)
      await page.goto(`${where.base}/app/`)
      await night.change()
      await online(page, true)
      await openForm(page, where, night.night)
      await page.getByText(CHANGED).waitFor()
      await putRight(page, night)
      await expectStored(where, night)
      expect(where.entries(where.anna)).toHaveLength(1)
    },
  )

  story(
    'under the hands of somebody: what they send is refused, and they go on in the form as it is now',
    async (page, where, night) => {
      await openForm(page, where, night.night)
      await answerAll(page, night)
      await night.change()
      await send(page)
      await page.getByText('Your answers could not be taken as they are').waitFor()
      await page.getByText('“Your weight” is required.').waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('button', { name: 'Correct the answers' }).click()
      await page.getByText(CHANGED).waitFor()
      await putRight(page, night)
      await expectStored(where, night)
      expect(where.entries(where.anna)).toHaveLength(1)
    },
  )

  story(
    'so that answers which wait still fit: they are stored as they are, and what it asks no more stays in the history',
    async (page, where, night) => {
      const { anna, trial, call, entries, stored } = where
      await online(page, false)
      await openForm(page, where, night.night)
      await answerAll(page, night)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      const [before] = (await readDeviceRecords(page)).queue
      await night.removeDreams()
      await online(page, true)
      await page.goto(`${where.base}/app/waiting`)
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual([before?.id])
      const [answers] = (await stored(anna, night.night)) as unknown as { _id: string }[]
      const { events } = await call('GET', `/trials/${trial}/responses/${answers!._id}/history`)
      expect(JSON.stringify(events)).toContain(JSON.stringify(WORDS))
    },
  )

  story(
    'into one that is not there any more: the study team has the answers, and enters what they can',
    async (page, where, night) => {
      const { anna, base, trial, call, entries } = where
      await online(page, false)
      await openForm(page, where, night.night)
      await answerAll(page, night)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      const [before] = (await readDeviceRecords(page)).queue
      await call('PUT', `/stages/${night.night}`, { enabled: false })
      await online(page, true)
      await page.goto(`${base}/app/waiting`)
      await page.getByText('Your study team has it now').waitFor()
      expect(await violations(page)).toEqual([])
      const { heldEntries } = await call('GET', `/trials/${trial}/heldEntries`)
      expect(heldEntries).toMatchObject([{ entry: before?.id, status: 'held', participantId: 'P-1' }])
      const at = `/trials/${trial}/heldEntries/${heldEntries[0]._id}`
      expect((await call('GET', at)).answers[night.words].value).toBe(WORDS)
      expect(entries(anna)).toEqual([])
      await call('POST', `${at}/acceptance`, { updateNote: 'From the device.' })
      await page.reload()
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual([before?.id])
    },
  )
})
