/** Contacts that people prove when they answer a poll. */
import { describe, expect, test } from 'bun:test'
import { insertVerification } from '#conduct/polls/codeStore'
import { newId } from '#kernel/id'
import { DAY, HOUR, MINUTE, parseInstant, SECOND } from '#kernel/time'
import { firstOf, present } from '../../present'
import { study } from '../../study'
import { addConsent } from '../consents/consentRows'

const ANN = 'ann@example.org'

async function pollStudy(pollSettings: Record<string, boolean>) {
  const s = await study({ stage: { isPoll: true, pollSettings } })
  const { code } = await s.owner.do('readTrial', s.trial)
  const at = `/polls/${code}/${s.stage}` as const
  const entryOf = (name: string) => `the-answers-of-${name}`
  const codeTo = (address: string): string => {
    const row = s.db.$client
      .query<{ body: string }, [string]>('SELECT body FROM outbox WHERE recipient = ? ORDER BY _id DESC LIMIT 1')
      .get(address)
    return /\d{6}/.exec(row?.body ?? '')?.[0] ?? ''
  }
  type Method = 'email' | 'phone'
  const ask = (name: string, address: string, method: Method = 'email', by = s.nobody) =>
    by.call('POST', `${at}/verifications`, { entry: entryOf(name), method, address })
  const enter = (name: string, given: string, method: Method = 'email', by = s.nobody) =>
    by.call('POST', `${at}/verifications/codes`, { entry: entryOf(name), method, code: given })
  const answer = (name: string, contact: Record<string, string>, by = s.nobody) =>
    by.call('POST', `${at}/responses`, { entry: entryOf(name), ...contact, response: s.sent({ pulse: 72 }) })
  return {
    ...{ ...s, at, codeTo, ask, enter, answer },
    /** Proves an address, in its stored form. */
    async prove(name: string, address: string, method: Method = 'email') {
      await ask(name, address, method)
      return enter(name, codeTo(address), method)
    },
    listed: async (by = s.owner) => by.do('listPollAnswers', s.trial, s.stage),
  }
}

/** The details that a refusal gives. */
const refusal = (status: number, code: string) => ({ status, body: { details: { code } } })

describe('a contact of a poll', () => {
  test('is proven by the code that is sent there, for these answers only', async () => {
    const p = await pollStudy({ verifyEmail: true })
    expect(await p.nobody.get<'openPoll'>(p.at)).toMatchObject({
      ...{ asksEmail: true, provenContacts: ['email'], readOutContacts: ['email'] },
      ...{ consentedContacts: [], answersOnce: false },
    })
    expect(await p.answer('ann', {})).toMatchObject(refusal(400, 'needsEmail'))
    expect(await p.answer('ann', { email: ANN })).toMatchObject(refusal(400, 'needsCode'))
    expect(await p.enter('ann', '123456')).toMatchObject(refusal(400, 'noCode'))
    expect(await p.ask('ann', ' Ann@Example.ORG ')).toMatchObject({ status: 200, body: { address: ANN } })
    expect(await p.answer('ann', { email: ANN })).toMatchObject(refusal(400, 'needsCode'))
    expect((await p.enter('ann', p.codeTo(ANN))).body).toEqual({ isVerified: true, triesLeft: 5, hasAnswered: false })
    // The proof of other answers, or of another address.
    expect(await p.answer('bob', { email: ANN })).toMatchObject(refusal(400, 'needsCode'))
    expect(await p.answer('ann', { email: 'bob@example.org' })).toMatchObject(refusal(400, 'needsCode'))
    expect((await p.answer('ann', { email: 'ANN@example.org' })).status).toBe(200)
    expect((await p.listed()).answers).toMatchObject([{ email: ANN, emailVerifiedAt: expect.any(String), phone: null }])
    expect((await p.ask('ann', ANN, 'phone')).status).toBe(422)
  })

  test('counts once: what is sent twice at once is stored once', async () => {
    const p = await pollStudy({ verifyPhone: true })
    await p.prove('ann', '+447700900123', 'phone')
    const sent = await Promise.all([1, 2, 3].map(() => p.answer('ann', { phone: '+44 (0)7700 900123' })))
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
    const { total, answers } = await p.listed()
    expect([total, firstOf(answers).phone]).toEqual([1, '+447700900123'])
    const used = p.db.$client.query('SELECT response, removeAt FROM pollVerifications').all()
    expect(used).toEqual([{ response: firstOf(answers).response, removeAt: null }])
  })

  test('is not guessed: five tries, ten minutes, a new code at most once a minute and twenty a day', async () => {
    const p = await pollStudy({ verifyEmail: true })
    await p.ask('ann', ANN)
    const wrong = p.codeTo(ANN) === '000000' ? '000001' : '000000'
    const tries = [5, 4, 3, 2, 1].map(() => p.enter('ann', wrong))
    expect((await Promise.all(tries)).map(({ body }) => (body as { triesLeft: number }).triesLeft)).toEqual([
      4, 3, 2, 1, 0,
    ])
    expect(await p.enter('ann', p.codeTo(ANN))).toMatchObject(refusal(400, 'codeEnded'))
    // Neither for other answers, nor from elsewhere.
    expect(await p.ask('ann', ANN)).toMatchObject(refusal(400, 'tooSoon'))
    expect(await p.ask('bob', ANN, 'email', p.person({}, '203.0.113.9'))).toMatchObject(refusal(400, 'tooSoon'))
    p.clock(61 * SECOND)
    await p.ask('ann', ANN)
    const late = p.codeTo(ANN)
    p.clock(10 * MINUTE + SECOND)
    expect(await p.enter('ann', late)).toMatchObject(refusal(400, 'codeEnded'))
    for (let n = 2; n < 20; n++) {
      expect([n, (await p.ask(`other-${n}`, ANN)).status]).toEqual([n, 200])
      p.clock(61 * SECOND)
    }
    expect(await p.ask('carl', ANN)).toMatchObject(refusal(400, 'tooManyCodes'))
    expect((await p.ask('carl', 'carl@example.org')).status).toBe(200)
    p.clock(DAY)
    expect((await p.ask('carl', ANN)).status).toBe(200)
  })

  test('is not guessed from one address for many others, either', async () => {
    const p = await pollStudy({ verifyEmail: true })
    for (let n = 0; n < 60; n++) {
      await p.ask(`of-${n}`, `person-${n}@example.org`)
      await Promise.all([1, 2, 3, 4, 5].map((digit) => p.enter(`of-${n}`, `99999${digit}`)))
    }
    await p.ask('ann', ANN)
    expect((await p.enter('ann', p.codeTo(ANN))).status).toBe(429)
    expect((await p.enter('ann', p.codeTo(ANN), 'email', p.person({}, '203.0.113.9'))).status).toBe(200)
  }, 30_000)

  test('answers once where that is asked, however it is written, and learns it as soon as it is proven', async () => {
    const p = await pollStudy({ verifyEmail: true, oneAnswerPerContact: true })
    expect((await p.nobody.get<'openPoll'>(p.at)).answersOnce).toBe(true)
    await p.prove('ann', ANN)
    p.clock(61 * SECOND)
    await p.ask('again', 'ANN@Example.org')
    const again = p.codeTo(ANN)
    const [one, other] = await Promise.all([p.answer('ann', { email: ANN }), p.enter('again', again)])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(await p.answer('again', { email: 'Ann@example.org' })).toMatchObject(refusal(400, 'answeredAlready'))
    expect((await p.enter('again', again)).body).toMatchObject({ isVerified: true, hasAnswered: true })
    expect((await p.listed()).total).toBe(1)
  })

  test.each([
    ['ann@exämple.org', 'ann@exämple.org'.normalize('NFD')],
    ['ann@exämple.org', 'Ann@xn--exmple-cua.org'],
    ['ann@exämple.org', 'ann@ｅxämple。org'],
    ['ann@example.org', '\u200eann@exam\u00adple.org\u200b'],
    ['ann@example.org', 'ann\ufe0f\u034f\u3164@example.org'],
  ])('of one mailbox answers once: %j, and %j', async (first, second) => {
    const p = await pollStudy({ verifyEmail: true, oneAnswerPerContact: true })
    await p.prove('ann', first)
    expect((await p.answer('ann', { email: first })).status).toBe(200)
    p.clock(61 * SECOND)
    expect((await p.ask('again', second)).body).toMatchObject({ address: first })
    expect((await p.enter('again', p.codeTo(first))).body).toMatchObject({ isVerified: true, hasAnswered: true })
    expect(await p.answer('again', { email: first })).toMatchObject(refusal(400, 'answeredAlready'))
  })

  test.each([
    ...['ann,bob@example.org', 'ann(1)@example.org', 'ann@bob@example.org', 'ann@[127.0.0.1]', 'ann@example..org'],
    ...['ann@a.org/b.org', 'ann@a%2eorg.de', `${'İ'.repeat(150)}@example.org`],
  ])('that is no address of one mailbox is refused: %j', async (address) => {
    const p = await pollStudy({ verifyEmail: true })
    expect((await p.ask('ann', address)).status).toBe(422)
  })

  test('that must be consented: a stranger cannot tell whether somebody consented with it', async () => {
    const p = await pollStudy({ requireConsentedEmail: true })
    await p.owner.do('updateTrial', p.trial, { eConsentEnabled: true })
    const form = (await p.owner.do('createConsentForm', p.trial, { document: '<p>The study.</p>' }))._id
    const { consent } = addConsent(p.db, { trial: p.trial, form, at: 1, email: ANN })
    const [known, unknown] = [await p.ask('ann', ANN), await p.ask('bob', 'bob@example.org')]
    const told = ({ status, body }: typeof known) => [status, Object.keys(body as object)]
    expect(told(unknown)).toEqual(told(known))
    const wrong = p.codeTo(ANN) === '000000' ? '000001' : '000000'
    expect((await p.enter('bob', wrong)).body).toEqual((await p.enter('ann', wrong)).body)
    // The owner of the address is told, and nobody else; there is no code that would be right.
    const bodies = 'SELECT recipient, body FROM outbox ORDER BY recipient DESC'
    const mails = p.db.$client.query<{ recipient: string; body: string }, []>(bodies).all()
    expect(mails.map(({ recipient, body }) => [recipient, /\d{6}/.test(body)])).toEqual([
      ['bob@example.org', false],
      [ANN, true],
    ])
    const { codes } = await (await p.signInStaff(p.owner)).do('listPollCodes', p.trial)
    expect(codes.map(({ address, code }) => [address, code])).toEqual(
      expect.arrayContaining([
        ['bob@example.org', null],
        [ANN, p.codeTo(ANN)],
      ]),
    )
    expect((await p.enter('ann', p.codeTo(ANN))).body).toMatchObject({ isVerified: true })
    // Withdrawn in between.
    await p.owner.do('withdrawConsent', p.trial, consent, { reason: 'They moved away.' })
    expect(await p.answer('ann', { email: ANN })).toMatchObject(refusal(400, 'notConsented'))
  })

  test('is read, and its code, by those only who may see personal information of all', async () => {
    const p = await pollStudy({ verifyEmail: true })
    await p.prove('ann', ANN)
    await p.answer('ann', { email: ANN })
    await p.ask('bob', 'bob@example.org')
    const reader = p.staff(p.trial, ['trial.readParticipantStudyData', 'trial.readParticipants'])
    const [seen] = (await p.listed(reader)).answers
    expect(JSON.stringify(seen)).not.toContain('example.org')
    expect(present(seen).emailVerifiedAt ?? null).toBeNull()
    const codes = `/trials/${p.trial}/poll-codes` as const
    const { body } = await (await p.signInStaff(reader)).call('GET', codes)
    expect(body.details.needs).toEqual(['trial.readParticipantPersonalInformation'])
    const entries = p.db.$client.query<{ all: string }, []>(
      `SELECT group_concat(coalesce(event, '') || coalesce(personal, '') || coalesce(address, '') || coalesce(device, ''), ' ') AS "all"
       FROM auditEntries WHERE type IN ('submitResponse', 'sendPollCode', 'checkPollCode')`,
    )
    expect(present(entries.get()).all).not.toMatch(/example\.org|127\.0\.0\.1|the-answers/)
  })

  test('that was not sent with answers is deleted after a day, one that was proven after a week', async () => {
    const p = await pollStudy({ verifyEmail: true })
    await p.prove('ann', ANN)
    await p.answer('ann', { email: ANN })
    await p.ask('bob', 'bob@example.org')
    await p.prove('eve', 'eve@example.org')
    const addresses = () =>
      p.db.$client
        .query<{ address: string }, []>('SELECT address FROM pollVerifications ORDER BY _id')
        .all()
        .map(({ address }) => address)
    p.clock(DAY + HOUR)
    await p.service.services.tick()
    expect(addresses()).toEqual([ANN, 'eve@example.org'])
    p.clock(7 * DAY)
    await p.service.services.tick()
    expect(addresses()).toEqual([ANN])
    expect(await p.answer('eve', { email: 'eve@example.org' })).toMatchObject(refusal(400, 'needsCode'))
  })
})

test('however many people wait for a code of a poll, staff find each of them', async () => {
  const p = await pollStudy({ verifyEmail: true })
  const at = parseInstant(p.now()) ?? 0
  await p.service.services.commit(() => {
    for (let n = 0; n < 205; n++)
      insertVerification(p.db, {
        ...{ _id: newId(at + n), createdAt: at + n, expiresAt: at + MINUTE, trial: p.trial, stage: p.stage },
        ...{ hash: `hash ${n}`, method: 'email', address: `p${n}@example.org`, isSilent: false },
        // What was tried five times is good no longer, and takes the place of nobody.
        tries: n < 5 ? 5 : 0,
      })
  })
  const session = await p.signInStaff(p.owner)
  let page = await session.do('listPollCodes', p.trial)
  const found = [...page.codes]
  while (page.next !== null) {
    expect(page.codes).toHaveLength(100)
    page = await session.do('listPollCodes', p.trial, { after: page.next })
    found.push(...page.codes)
  }
  expect(found.map(({ address }) => address)).toEqual(Array.from({ length: 200 }, (_, n) => `p${204 - n}@example.org`))
})
