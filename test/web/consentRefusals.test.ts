/** What the server refuses on the consent pages, and of a PIN, is said in the language of the page. */
import { expect, test } from 'bun:test'
import type { Answer } from '#web/kit/api/send'
import { builtIn, type BuiltInLanguage as Language } from '#web/kit/language/languages'
import { failureText } from '#web/links/consent/requests'
import { loadTranslator } from '#web/links/consent/texts'
import { pinFault } from '#web/participant/pages/pinFault'
import { loadTranslator as loadAppTranslator } from '#web/participant/texts'
import { consentWorld, typed } from '../conduct/consents/consents.study'
import { study } from '../study'

type FailedAnswer = Extract<Answer<never>, { isDone: false }>

/** A refusal as the pages get it. */
function refusalOf({ status, body }: { status: number; body: unknown }): FailedAnswer {
  const { message, details = {} } = body as { message: string; details?: Record<string, unknown> }
  const fields = (details.fields ?? {}) as Record<string, string>
  return { isDone: false, isRefusal: true, status, message, fields, details }
}

/** That each language has its own words for it, and none the server's. */
async function expectTranslated(refused: FailedAnswer, words: (language: Language) => Promise<string>) {
  const all = Object.keys(builtIn) as Language[]
  const said = await Promise.all(all.map(words))
  expect(new Set(said).size).toBe(all.length)
  expect(said).not.toContain(refused.message)
}

type World = Awaited<ReturnType<typeof consentWorld>>
const photo = { name: 'id.jpg', size: 4, type: 'image/jpeg' } as const
const event = { type: 'page', page: 'sheet' } as const

const cases: [
  code: string,
  form: Record<string, unknown>,
  refused: (w: World, at: string) => Promise<{ status: number; body: unknown }>,
][] = [
  ['formDiffers', {}, ({ nobody }, at) => nobody.call('POST', `${at}/photo`, photo)],
  ['formDiffers', {}, ({ nobody }, at) => nobody.call('POST', `${at}/quiz`, { answers: [0] })],
  [
    'formDiffers',
    { verificationMethods: ['email'] },
    ({ nobody }, at) => nobody.call('POST', `${at}/verifications`, { method: 'phone', address: '+447700900123' }),
  ],
  [
    'givenAlready',
    { identityVerificationEnabled: true },
    async ({ nobody, ...w }, at) => {
      const token = at.split('/').at(-1) ?? ''
      await w.verify(token, 'ann@example.org')
      const { signedRequestURL } = await nobody.do('requestConsentPhoto', token, photo)
      const headers = { 'Content-Type': photo.type }
      await w.fetch(signedRequestURL, { method: 'PUT', body: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), headers })
      expect((await w.give(token, typed('Ann Lee'))).status).toBe(200)
      return nobody.call('POST', `${at}/photo`, photo)
    },
  ],
  [
    'tooManyEntries',
    {},
    async ({ nobody }, at) => {
      for (let n = 0; n < 24; n++) await nobody.call('POST', `${at}/events`, { events: Array(20).fill(event) })
      return nobody.call('POST', `${at}/events`, { events: Array(20).fill(event) })
    },
  ],
  ['stepsLeft', { readToEnd: true }, ({ give }, at) => give(at.split('/').at(-1) ?? '', typed('Ann Lee'))],
  [
    'closed',
    {},
    async ({ owner, nobody, trialId }) => {
      await owner.do('updateTrial', trialId, { eConsentClosed: true })
      return nobody.call('POST', '/consent/sleep/main/sessions', {})
    },
  ],
  [
    'eConsentOff',
    {},
    async ({ owner, nobody, trialId }) => {
      await owner.do('updateTrial', trialId, { eConsentEnabled: false })
      return nobody.call('GET', '/consent/sleep/main')
    },
  ],
]

test.each(cases)('the consent pages say why something is refused: %s', async (code, form, refuse) => {
  const w = await consentWorld(form)
  const refused = refusalOf(await refuse(w, `/consent-sessions/${await w.start()}`))
  expect(refused.details).toMatchObject({ code })
  await expectTranslated(refused, async (language) => failureText(await loadTranslator(language), refused))
})

test.each(['1234', '12', 'abcd', '0001'])('a PIN that is refused says why: %j', async (pin) => {
  const s = await study()
  const me = await s.signIn()
  const refused = refusalOf(await me.call('PUT', '/participants/me/pin', { pin }))
  await expectTranslated(refused, async (language) => pinFault(await loadAppTranslator(language), refused) ?? '')
})
