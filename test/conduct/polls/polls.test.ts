/** Anonymous polls: over their links, without an account. */
import { describe, expect, test } from 'bun:test'
import { codeChannel, missingContacts, provenMethods } from '#conduct/polls/rules'
import { present } from '../../present'
import { study } from '../../study'

const LINKS = [
  { id: 'hall-a', name: 'Hall A', attributes: [{ name: 'city', value: 'Ulm <b>' }] },
  { id: 'hall-b', name: 'Hall B' },
]

async function polled(stage: Record<string, unknown> = {}) {
  const s = await study({ stage: { isPoll: true, customLinks: LINKS, postSubmissionText: 'Thank you!', ...stage } })
  const { code } = await s.owner.get(`/trials/${s.trial}`)
  const at = `/polls/${code}/${s.stage}` as const
  let count = 0
  return {
    ...s,
    at,
    answer: (pulse: unknown, more: Record<string, unknown> = {}, by = s.nobody) =>
      by.call('POST', `${at}/responses`, {
        entry: `entry-${String(++count).padStart(4, '0')}`,
        response: s.sent({ pulse }),
        ...more,
      }),
    listed: () => s.owner.get(`/trials/${s.trial}/stages/${s.stage}/pollAnswers`),
  }
}

describe('a poll', () => {
  test('shows its questions to whoever has the link, and keeps answers with the attributes of the link, of nobody', async () => {
    const p = await polled()
    const opened = await p.nobody.get(p.at)
    expect(opened).toMatchObject({ isOpen: true, asksEmail: false, asksPhone: false })
    expect(opened.components.length).toBeGreaterThan(0)
    expect(await p.answer(72, { link: 'hall-a', email: 'not@asked.example' })).toMatchObject({
      status: 200,
      body: { postSubmissionText: 'Thank you!', onScreenMessages: [] },
    })
    expect((await p.answer(80)).status).toBe(200)
    const { answers, total } = await p.listed()
    expect([
      total,
      answers.map(({ link, linkName, attributes, email }) => [link, linkName, attributes, email]),
    ]).toEqual([
      2,
      [
        [null, null, [], null],
        ['hall-a', 'Hall A', [{ name: 'city', value: 'Ulm <b>' }], null],
      ],
    ])
    const kept = await p.owner.get(`/trials/${p.trial}/responses/${present(answers[1]).response}`)
    const [response] = kept.responses
    expect([response?.participant, response?.response[present(p.ids.pulse)]?.value]).toEqual([null, 72])
    // Neither the address nor the device of the sender.
    const senders = 'SELECT DISTINCT address, device, participant FROM submissions'
    expect(p.db.$client.query(senders).all()).toEqual([{ address: null, device: null, participant: null }])
  })

  test('stores what a device sends again once, also from another network', async () => {
    const p = await polled()
    const more = { entry: 'the-same-entry' }
    const elsewhere = p.person({}, '203.0.113.9')
    const sent = [p.answer(72, more), p.answer(72, more), p.answer(72, more, elsewhere)]
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await p.listed()).total).toBe(1)
  })

  test('refuses what does not fit, and stores nothing of it', async () => {
    const p = await polled({ pollSettings: { requireEmail: true } })
    const table: [status: number, Record<string, unknown>, unknown][] = [
      [400, {}, 72],
      [422, { email: ' ' }, 72],
      [422, { email: 'no address' }, 72],
      [400, { email: 'a@example.com', link: 'hall-z' }, 72],
      [422, { email: 'a@example.com' }, 'fast'],
      [422, { email: 'a@example.com', entry: 'x' }, 72],
    ]
    for (const [status, more, pulse] of table)
      expect([more, pulse, (await p.answer(pulse, more)).status]).toEqual([more, pulse, status])
    expect((await p.listed()).total).toBe(0)
    expect((await p.answer(72, { email: 'a@example.com' })).status).toBe(200)
    expect((await p.listed()).answers).toMatchObject([{ email: 'a@example.com', phone: null }])
  })

  test('that is closed or locked shows no questions and takes nothing; one that is none is not found', async () => {
    const p = await polled()
    await p.owner.put(`/stages/${p.stage}`, { enabled: false })
    expect(await p.nobody.get(p.at)).toMatchObject({ isOpen: false, components: [] })
    expect(await p.answer(72)).toMatchObject({ status: 403, body: { details: { code: 'closed' } } })
    await p.owner.put(`/stages/${p.stage}`, { enabled: true, isPoll: false })
    expect((await p.nobody.call('GET', p.at)).status).toBe(404)
    expect((await p.answer(72)).status).toBe(404)
  })

  test('lists what came in pages by key, newest first, also while more arrives', async () => {
    const p = await polled()
    for (let n = 0; n < 5; n++) await p.answer(70 + n)
    const path = `/trials/${p.trial}/stages/${p.stage}/pollAnswers` as const
    const first = await p.owner.get(`${path}?perPage=2`)
    await p.answer(80)
    const second = await p.owner.get(`${path}?perPage=2&after=${first.next}`)
    const third = await p.owner.get(`${path}?perPage=2&after=${second.next}`)
    const pages = [first, second, third].map(({ answers }) => answers.map(({ response }) => response))
    expect([pages.map(({ length }) => length), new Set(pages.flat()).size, third.next]).toEqual([[2, 2, 1], 5, null])
    expect(pages.flat()).toEqual(pages.flat().toSorted().reverse())
    expect([first.total, third.total]).toEqual([5, 6])
  })

  test('leaves neither address nor device of the sender in the trail', async () => {
    const p = await polled()
    await p.answer(72)
    await p.answer(72, { entry: 'entry-0001' })
    const entries = `SELECT DISTINCT address, device, personal FROM auditEntries WHERE type = 'submitResponse'`
    expect(p.db.$client.query(entries).all()).toEqual([{ address: null, device: null, personal: null }])
  })

  test('takes a thousand answers in a minute from one address', async () => {
    const p = await polled()
    const sent = await Promise.all(Array.from({ length: 1_000 }, (_, n) => p.answer(50 + (n % 50), { link: 'hall-b' })))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await p.listed()).total).toBe(1_000)
  }, 60_000)
})

test.each([
  [{}, {}, []],
  [null, {}, []],
  [{ requireEmail: true }, { email: '' }, ['email']],
  [{ verifyPhone: true }, { phone: ' ' }, ['phone']],
  [{ requireConsentedEmail: true, requirePhone: true }, {}, ['email', 'phone']],
  [{ requireEmail: true }, { email: 'a@b.c' }, []],
] as const)('of a poll with %j and %j these contacts are missing: %j', (settings, contact, missing) => {
  expect<readonly string[]>(missingContacts(settings, contact)).toEqual(missing)
  expect(provenMethods(settings).length > 0).toBe(/verify|Consented/.test(JSON.stringify(settings)))
})

test.each([
  ['email', [], 'email'],
  ['phone', [], 'sms'],
  ['phone', ['email', 'whatsapp'], 'whatsapp'],
  ['phone', ['sms', 'whatsapp'], 'sms'],
] as const)('to a contact (%s), with senders of %j, a code goes by %s', (method, sendsBy, channel) => {
  expect(codeChannel(method, sendsBy)).toBe(channel)
})
