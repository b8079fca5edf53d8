/** Refusals are said in the language of the page, from their codes; where that cannot be, in English. */
import { describe, expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { refusalTexts } from '#texts/refusals/catalogue'
import type { FailedAnswer } from '#web/kit/api/send'
import { builtIn } from '#web/kit/language/languages'
import { translate } from '#web/kit/refusals/translate'
import { sharedInFile, world } from '../harness'
import { study } from '../study'
import { chromium, inBrowser } from './browser'

/** A refusal as pages get it. */
function refusalOf({ status, body }: { status: number; body: unknown }): FailedAnswer {
  const { message, details, validations } = body as {
    message: string
    details: Record<string, unknown>
    validations?: { json: Record<string, string[]> }
  }
  const fields = Object.entries(validations?.json ?? {}).map(([field, list]) => [field, list.join(' ')])
  return { isDone: false, isRefusal: true, status, message, fields: Object.fromEntries(fields), details }
}

const german = (refused: FailedAnswer) => translate(refused, Object.assign({}, ...refusalTexts.de!), 'de')

const made = sharedInFile(async () => {
  const s = await study()
  return { ...s, me: await s.signIn() }
})

describe('in German, for staff', () => {
  test.each<[string, (s: Awaited<ReturnType<typeof made>>) => Promise<{ status: number; body: unknown }>, RegExp]>([
    ['a noun', ({ owner }) => owner.call('GET', `/trials/${'0'.repeat(24)}`), /: Studie\.$/],
    [
      'a name in use',
      ({ owner, trial }) => owner.call('POST', `/trials/${trial}/participants`, { participantId: 'P-2' }),
      /Teilnehmer-ID „P-2“/,
    ],
    [
      'several fields',
      ({ owner, trial }) => owner.call('PUT', `/trials/${trial}`, { name: 1, code: '' }),
      /name: .*code: /,
    ],
  ])('%s', async (_, refuse, words) => {
    const refused = refusalOf(await refuse(await made()))
    const { answer, isWhole } = german(refused)
    expect([isWhole, answer.message]).toEqual([true, expect.stringMatching(words)])
    expect(answer.message).not.toBe(refused.message)
  })

  test('places inside a field keep their paths', async () => {
    const { owner, trial } = await made()
    const body = { participants: [{ participantId: 'P-77' }, { participantId: 7 }] }
    const refused = refusalOf(await owner.call('POST', `/trials/${trial}/participants`, body))
    const { answer } = german(refused)
    expect(Object.values(answer.fields).join()).not.toBe(Object.values(refused.fields).join())
    for (const [field, text] of Object.entries(answer.fields)) {
      const path = /^([\w.]+): /.exec(refused.fields[field]!)?.[1]
      if (path) expect(text).toStartWith(`${path}: `)
    }
  })
})

const said = (details: Record<string, unknown>, language: 'de' | 'fr' | 'ar' = 'de') => {
  const refused: FailedAnswer = {
    isDone: false,
    isRefusal: true,
    status: 400,
    message: 'English.',
    fields: {},
    details,
  }
  return translate(refused, Object.assign({}, ...refusalTexts[language]!), language).answer.message
}

test('a code that the language lacks, or a part that it lacks, leaves the sentence in English', () => {
  expect(said({ code: 'somethingNew' })).toBe('English.')
  expect(said({ code: 'serviceFails', params: { service: 'Fitbit', problem: { code: 'somethingNew' } } })).toBe(
    'English.',
  )
  // A program's code with the parameters of another sentence.
  expect(said({ code: 'notOpenYet', enableAt: null })).toBe('English.')
  expect(said({ code: 'toString' })).toBe('English.')
})

test('the sentence of a message counts, not a code that programs tell cases apart by', () => {
  expect(said({ code: 'cancelled', sentence: { code: 'linkEnded' } })).toContain('Link')
})

test('numbers, moments, quotations and answers are written as the language writes them', () => {
  const limit = { code: 'perMinute', params: { most: 10 } }
  expect(said({ code: 'tooMany', params: { limit, seconds: 7 } })).toContain('10 in 1 Minute')
  const from = { code: 'moment', params: { at: '2026-03-09T07:00:00.000000Z', zone: 'Europe/Berlin' } }
  expect(said({ code: 'notYet', params: { from } })).toContain('9. März 2026 um 08:00 (Europe/Berlin)')
  expect(said({ code: 'notYet', params: { from } }, 'fr')).toContain('9 mars 2026')
  const by = ['A', 'B'].map((name) => ({ code: 'quoted', params: { name } }))
  expect(said({ code: 'needed', params: { name: 'C', by } })).toContain('„A“, „B“')
  const problem = { code: 'between', params: { title: 'Puls', min: 30, max: 220 } }
  expect(said({ code: 'answerNotTaken', params: { problem } })).toBe('„Puls“ muss zwischen 30 und 220 liegen.')
  // What is read in the other direction keeps to itself.
  expect(said({ code: 'unconfirmed', params: { statement: 'OK' } }, 'ar')).toContain('«\u2068OK\u2069»')
})

test('the pages have the refusals of every language but English', async () => {
  expect(Object.keys(refusalTexts).sort()).toEqual(
    Object.keys(builtIn)
      .filter((each) => each !== 'en')
      .sort(),
  )
})

describe.skipIf(!chromium)('in a browser', () => {
  test('a page says what the server refuses in its language; without the texts, in English', async () => {
    const server = listen(world().service, { host: '127.0.0.1', port: 0 })
    for (const [locale, isCut] of [
      ['de-DE', false],
      ['fr-FR', false],
      ['de-DE', true],
    ] as const)
      await inBrowser(
        async (page) => {
          let asked = 0
          await page.route('**/web/refusals-*', (route) => {
            asked++
            return isCut ? route.abort() : route.continue()
          })
          await page.goto(`http://127.0.0.1:${server.port}/account`)
          await page.locator('input[name=email]').fill('nonsense')
          expect(asked).toBe(0)
          await page.locator('input[name=password]').fill('x')
          await page.locator('form').evaluate((form: HTMLFormElement) => {
            form.noValidate = true
            form.requestSubmit()
          })
          const fault = page.locator('p.fault').first()
          await fault.waitFor()
          const [words] = refusalTexts[locale.slice(0, 2)]!
          expect(await fault.textContent()).toContain(isCut ? 'Must be an e-mail address.' : words!.notEmail!)
          expect(asked).toBe(1)
        },
        { locale },
      )
    await server.stop()
  }, 120_000)
})
