/** Each text that the study team wrote says its language and begins where that begins, whatever the language of the page is. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { until } from '../until'
import { fillIn, NOW, onDevice, phone, type StudyVisit } from './appVisits'
import { chromium, violations } from './browser'
import { withConsent } from './consentVisits'
import { PIN, withTablet } from './tabletVisits'

const SHOTS = process.env.SHOTS
type StudyLanguage = 'ar' | 'en'

/** A text of the study, known by the marks around it. */
const inStudyLanguage = (tongue: StudyLanguage) => (text: string) =>
  tongue === 'ar' ? `◦نص ${text.length}ب◦` : `◦${text}◦`

/** Every text of the study on the page, with its language and direction. Sentences of the page that quote a name are left out. */
const textsOn = (page: Page) =>
  page.evaluate(() => {
    const found: { text: string; lang: string | undefined; direction: string; align: string }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      const element = node.parentElement
      if (!element || !text.includes('◦') || /\p{L}/u.test(text.replace(/◦[^◦]*◦/gu, ''))) continue
      if (element.closest('script, style, [hidden]')) continue
      const { direction, textAlign } = getComputedStyle(element)
      found.push({
        // What stands within a line is where the line has it.
        ...{ text, direction, align: element.localName === 'bdi' ? 'start' : textAlign },
        lang: element.closest<HTMLElement>('[lang]')?.lang,
      })
    }
    return found
  })

/** Finds no study text without its language. @param least how many texts must be there at least */
async function marked(page: Page, least: number, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
  await until(async () => (await textsOn(page)).length >= least)
  const found = await textsOn(page)
  expect([name, found.length >= least, found.length]).toEqual([name, true, found.length])
  const wrong = found.filter(({ text, lang, direction, align }) => {
    const own = /[\u0600-\u06ff]/.test(text) ? 'ar' : 'en'
    return lang !== own || direction !== (own === 'ar' ? 'rtl' : 'ltr') || !['start', 'center'].includes(align)
  })
  expect([name, wrong]).toEqual([name, []])
  expect([name, await violations(page)]).toEqual([name, []])
}

/** A form with every kind of text. @param w writes a text of the study */
async function makeForm({ call, trial }: Pick<StudyVisit, 'call' | 'trial'>, w: (text: string) => string) {
  const types: Record<string, object> = {
    pulse: { format: 'integer', min: 30, max: 220, unit: w('beats') },
    pain: { format: 'slider', min: 0, max: 10, minLabel: w('no pain'), maxLabel: w('the worst pain') },
    rest: { format: 'rating', min: 0, max: 10, minLabel: w('not at all'), maxLabel: w('completely so') },
    smokes: { format: 'choice', options: [{ label: w('yes, I do') }, { label: w('no') }] },
    days: {
      format: 'likert',
      scale: [
        { value: 0, label: w('never') },
        { value: 1, label: w('nearly always') },
      ],
      statements: [{ key: 'a', label: w('Little interest') }],
    },
    drugs: { format: 'table', columns: [{ id: 'n', label: w('Name of it'), format: 'text' }] },
  }
  const components: object[] = [
    { id: 'top', type: 'title', title: w('A heading of the form'), description: w('Below') },
  ]
  for (const [code, settings] of Object.entries(types)) {
    const { _id: dataType } = await call('POST', `/trials/${trial}/data-types`, { name: code, code, ...settings })
    components.push({ id: code, dataType, title: w(`Question ${code}`), description: w(`About it: ${code} `) })
  }
  return { components }
}

describe.skipIf(!chromium)('texts of the study', () => {
  test.each<[StudyLanguage, string, object]>([
    ['ar', 'en-GB', { languages: ['ar', 'en'] }],
    ['en', 'ar', { languages: ['en'] }],
  ])(
    'in %s on pages in %s say their language: the app, a poll, a link, a tablet',
    (tongue, locale, settings) =>
      withTablet(async (where) => {
        const { call, trial, bert, base } = where
        const w = inStudyLanguage(tongue)
        await call('PUT', `/trials/${trial}`, { ...settings, name: w('The study'), description: w('What it is about') })
        const fields = await makeForm(where, w)
        const stage = { ...fields, name: w('Diary of the day'), description: w('Each day.'), adHoc: true }
        // One text is translated into the language of the page, the others are not.
        const translations = tongue === 'ar' ? { translations: { en: { description: '◦Every single day◦' } } } : {}
        const thanks = { postSubmissionText: w('Thank you for all of it') }
        const { _id: form } = await call('POST', `/trials/${trial}/stages`, { ...stage, ...translations, ...thanks })
        const poll = { ...fields, name: w('A poll for you'), description: w('Nobody is named.'), isPoll: true }
        const { _id: pollId } = await call('POST', `/trials/${trial}/stages`, poll)
        const participant = `/trials/${trial}/participants/${bert}`
        await call('POST', `${participant}/messages`, { message: w('Good morning, how are you?') })
        const event = {
          title: w('Visit'),
          description: w('Entrance B'),
          startsAt: new Date(NOW + 86_400_000).toISOString(),
          duration: 30,
        }
        await call('POST', `${participant}/events`, event)
        const resource = {
          type: 'text',
          title: w('How to breathe'),
          description: w('In short'),
          html: `<p>${w('Sit')}</p>`,
        }
        await call('POST', `/trials/${trial}/participantResources`, resource)
        const { url } = await call('POST', `${participant}/stages/${form}/tokens`, {})
        const name = (page: string) => `texts-${tongue}-${page}`
        const look = { ...phone, locale }
        await onDevice(async (page) => {
          await page.goto(`${base}/app/`)
          await fillIn(page, where, undefined, 'P-2')
          await page.locator('.form-card').first().waitFor()
          await page.getByText(w('Diary of the day')).first().waitFor()
          await marked(page, 2, name('today'))
          await page.goto(`${base}/app/stages/${form}`)
          await page.locator('.question').first().waitFor()
          await page.locator('fieldset button').last().click()
          await marked(page, 20, name('form'))
          await page.locator('.slider input').focus()
          await page.keyboard.press('Enter')
          await page.locator('.steps [type=submit]').click()
          await page.getByText(w('Thank you for all of it')).waitFor()
          await marked(page, 1, name('after'))
          for (const [path, least] of [
            ['messages', 1],
            ['calendar', 2],
            ['you', 2],
            ['resources', 2],
          ] as const) {
            await page.goto(`${base}/app/${path}`)
            await page.locator('h1').waitFor()
            await page.waitForLoadState('networkidle')
            if (path === 'resources') await page.locator('.resource .fold summary').first().click()
            await marked(page, least, name(path))
          }
        }, look)
        await onDevice(async (page) => {
          const { code } = await call('GET', `/trials/${trial}`)
          await page.goto(`${base}/poll/${code}/${pollId}`)
          await page.locator('.question').first().waitFor()
          await marked(page, 20, name('poll'))
          await page.goto(base + new URL(url).pathname)
          await page.locator('.question').first().waitFor()
          await marked(page, 20, name('link'))
        }, look)
        await onDevice(
          async (page) => {
            await page.goto(where.path)
            await page.locator('.card .main').click()
            await page.locator('#tablet-id').waitFor()
            await marked(page, 1, name('tablet'))
            await page.locator('#tablet-id').fill('P-1')
            await page.locator('#tablet-pin').fill(PIN)
            await page.locator('.tablet-form .main').click()
            await page.getByText(w('Diary of the day')).first().waitFor()
            await marked(page, 1, name('tablet-today'))
          },
          { ...look, viewport: { width: 1280, height: 800 } },
        )
      }),
    300_000,
  )

  test.each<[StudyLanguage, string]>([
    ['ar', 'en-GB'],
    ['en', 'ar'],
  ])(
    'of a consent in %s, on pages in %s',
    async (tongue, locale) => {
      const w = inStudyLanguage(tongue)
      const change = {
        document: `<h1>${w('The sheet of it')}</h1><p>${w('You can stop at any time.')}</p>`,
        eligibilityCriteria: w('Grown-up people'),
        conditions: [{ id: 'a', title: w('I take part in it'), description: w('All of it') }],
        quiz: [
          {
            question: w('How many visits?'),
            options: [w('One'), w('Two of them')],
            correct: 1,
            explanation: w('Two.'),
          },
        ],
        ...{ requiredVerificationMethods: [], verificationMethods: ['email'], identityVerificationEnabled: false },
        ...{
          readToEnd: false,
          requiresCountersignature: false,
          postConsentText: w('Thank you'),
          postSubmissionText: null,
        },
      }
      await withConsent(change, async ({ base, call, trial }) => {
        await call('PUT', `/trials/${trial}`, { languages: [tongue] })

        await onDevice(
          async (page) => {
            await page.goto(`${base}/app/consent/sleep/main`)
            await page.locator('.main').click()
            const next = () => page.locator('.actions [type=submit]').click()
            await page.locator('.sheet').waitFor()
            await marked(page, 2, `consent-${tongue}-sheet`)
            await next()
            await page.locator('[name=question-0]').nth(0).check()
            await next()
            await marked(page, 3, `consent-${tongue}-questions`)
            await page.locator('[name=question-0]').nth(1).check()
            await next()
            await page.locator('.success').first().waitFor()
            await next()
            await page.locator('[name=eligible]').check()
            await marked(page, 1, `consent-${tongue}-eligibility`)
            await next()
            await page.locator('[name=statement-0]').check()
            await marked(page, 2, `consent-${tongue}-statements`)
          },
          { ...phone, locale },
        )
      })
    },
    300_000,
  )
})
