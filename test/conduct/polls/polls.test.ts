/** Anonymous polls: over their links, without an account. */
import { describe, expect, test } from 'bun:test'
import { codeChannel, missingContacts, provenMethods } from '#conduct/polls/rules'
import { mount } from '#http/mount'
import { offeredOperations } from '#start/offeredOperations'
import { present } from '../../present'
import { proof } from '../../proof'
import { study } from '../../study'

const LINKS = [
  { id: 'hall-a', name: 'Hall A', attributes: [{ name: 'city', value: 'Ulm <b>' }] },
  { id: 'hall-b', name: 'Hall B' },
]

async function pollStudy(stage: Record<string, unknown> = {}) {
  const s = await study({ stage: { isPoll: true, customLinks: LINKS, postSubmissionText: 'Thank you!', ...stage } })
  const { code } = await s.owner.do('readTrial', s.trial)
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
    listed: () => s.owner.do('listPollAnswers', s.trial, s.stage),
  }
}

describe('a poll', () => {
  test('shows its questions to whoever has the link, and keeps answers with the attributes of the link, of nobody', async () => {
    const p = await pollStudy()
    const opened = await p.nobody.get<'openPoll'>(p.at)
    expect(opened).toMatchObject({ isOpen: true, asksEmail: false, asksPhone: false })
    expect(opened.components.length).toBeGreaterThan(0)
    expect((await p.nobody.get<'openPoll'>(`${p.at}?link=hall-a`)).isOpen).toBe(true)
    // Nobody fills in a form that cannot be sent.
    expect(await p.nobody.call('GET', `${p.at}?link=hall-z`)).toMatchObject({
      ...{ status: 400, body: { details: { code: 'noSuchLink' } } },
    })
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
    const kept = await p.owner.do('readResponse', p.trial, present(answers[1]).response)
    const [response] = kept.responses
    expect([response?.participant, response?.response[present(p.ids.pulse)]?.value]).toEqual([null, 72])
    // Neither the address nor the device of the sender.
    const senders = 'SELECT DISTINCT address, device, participant FROM submissions'
    expect(p.db.$client.query(senders).all()).toEqual([{ address: null, device: null, participant: null }])
  })

  test('stores what a device sends again once, also from another network', async () => {
    const p = await pollStudy()
    const more = { entry: 'the-same-entry' }
    const elsewhere = p.person({}, '203.0.113.9')
    const sent = [p.answer(72, more), p.answer(72, more), p.answer(72, more, elsewhere)]
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await p.listed()).total).toBe(1)
  })

  test('refuses what does not fit, and stores nothing of it', async () => {
    const p = await pollStudy({ pollSettings: { requireEmail: true } })
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

  test.each([
    ['phone', { requirePhone: true }, ['call me', '12', 'x', '+44', '0171 1234567'], 'badPhone'],
    ['email', { requireEmail: true }, ['ann', 'x', 'ann@hospital', 'ann,bob@example.org'], 'badEmail'],
  ] as const)('takes no other text for a contact that it asks for (%s)', async (method, pollSettings, texts, code) => {
    const p = await pollStudy({ pollSettings })
    for (const text of texts)
      expect([text, await p.answer(72, { [method]: text })]).toMatchObject([
        text,
        { status: 422, body: { details: { code, fields: { [method]: expect.stringContaining('Must be a') } } } },
      ])
    expect((await p.listed()).total).toBe(0)
    const [entered, kept] =
      method === 'phone' ? ['+44 (0)7700 900123', '+447700900123'] : [' Ann@Example.ORG', 'ann@example.org']
    expect((await p.answer(72, { [method]: entered })).status).toBe(200)
    expect((await p.listed()).answers).toMatchObject([{ [method]: kept }])
    // What the poll does not ask for is not kept, whatever it is.
    const other = method === 'phone' ? 'email' : 'phone'
    expect((await p.answer(72, { [method]: entered, [other]: 'none' })).status).toBe(200)
    expect((await p.listed()).answers[0]).toMatchObject({ [method]: kept, [other]: null })
  })

  test('that is closed or locked shows no questions and takes nothing; one that is none is not found', async () => {
    const p = await pollStudy()
    await p.owner.do('updateStage', p.stage, { enabled: false })
    expect(await p.nobody.get<'openPoll'>(p.at)).toMatchObject({ isOpen: false, components: [] })
    expect(await p.answer(72)).toMatchObject({ status: 403, body: { details: { code: 'closed' } } })
    await p.owner.do('updateStage', p.stage, { enabled: true, isPoll: false })
    expect((await p.nobody.call('GET', p.at)).status).toBe(404)
    expect((await p.answer(72)).status).toBe(404)
  })

  test('has no link that a browser would lead elsewhere', async () => {
    const { owner, stage } = await pollStudy()
    const linked = (id: string) => owner.call('PUT', `/stages/${stage}`, { customLinks: [{ id, name: 'Hall' }] })
    for (const id of ['.', '..'])
      expect(await linked(id)).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('cannot be in a link') },
      })
    expect((await linked('a/b ü?#')).status).toBe(200)
  })

  test('takes no files: one that asks for a file is refused when it is made, in words', async () => {
    const p = await pollStudy()
    const { owner, trial, stage, ids } = p
    const photo = { id: 'photo', dataType: ids.photo, title: 'Your rash' }
    const refused = { status: 422, body: { message: expect.stringContaining('“Your rash”: A poll takes no files') } }
    const poll = { name: 'Poll', isPoll: true, components: [photo] }
    expect(await owner.call('POST', `/trials/${trial}/stages`, poll)).toMatchObject(refused)
    expect(await owner.call('PUT', `/stages/${stage}`, { components: [photo] })).toMatchObject(refused)
    const form = await owner.do('createStage', trial, { ...poll, isPoll: false })
    expect(await owner.call('PUT', `/stages/${form._id}`, { isPoll: true })).toMatchObject(refused)
    // Whoever answers is not asked what the study team enters.
    const hidden = { components: [{ ...photo, isHidden: true }] }
    expect((await owner.call('PUT', `/stages/${form._id}`, { ...hidden, isPoll: true })).status).toBe(200)
    expect((await p.answer(72)).status).toBe(200)
    // Nor does a question of a poll become one for a file.
    const note = (await owner.do('createDataType', trial, { name: 'Note', code: 'note', format: 'text' }))._id
    await owner.do('updateStage', stage, { components: [{ id: 'n', dataType: note, title: 'A note' }] })
    const changed = await owner.call('PUT', `/data-types/${note}`, { format: 'image' })
    expect([changed.status, changed.body.message]).toEqual([400, expect.stringContaining('A poll takes no files')])
  })

  test('lists what came in pages by key, newest first, also while more arrives', async () => {
    const p = await pollStudy()
    for (let n = 0; n < 5; n++) await p.answer(70 + n)
    const first = await p.owner.do('listPollAnswers', p.trial, p.stage, { perPage: 2 })
    await p.answer(80)
    const second = await p.owner.do('listPollAnswers', p.trial, p.stage, { perPage: 2, after: first.next })
    const third = await p.owner.do('listPollAnswers', p.trial, p.stage, { perPage: 2, after: second.next })
    const pages = [first, second, third].map(({ answers }) => answers.map(({ response }) => response))
    expect([pages.map(({ length }) => length), new Set(pages.flat()).size, third.next]).toEqual([[2, 2, 1], 5, null])
    expect(pages.flat()).toEqual(pages.flat().toSorted().reverse())
    expect([first.total, third.total]).toEqual([5, 6])
  })

  test('leaves neither account, address nor device of the sender in the trail, of refused answers neither', async () => {
    const p = await pollStudy()
    const lines: unknown[] = []
    const watched = mount(p.service.services, offeredOperations(), (line) => lines.push(line))
    await p.answer(72)
    await p.answer(72, { entry: 'entry-0001' })
    await p.owner.do('updateStage', p.stage, { enabled: false })
    // Who is signed in elsewhere in the same browser stays unknown too.
    for (const by of [p.nobody, await p.signIn(), await p.signInStaff(p.owner), p.owner]) {
      expect((await p.answer(72, {}, by)).status).toBe(403)
      expect((await p.answer(72, { entry: 'entry-9999', response: 7 }, by)).status).toBe(422)
    }
    const entries = `SELECT DISTINCT type, address, device, personal, user, userEmail, apiToken FROM auditEntries
      WHERE type IN ('submitResponse', 'accessRefused') ORDER BY type`
    const unknown = { address: null, device: null, personal: null, user: null, userEmail: null, apiToken: null }
    expect(p.db.$client.query(entries).all()).toEqual([
      { type: 'accessRefused', ...unknown },
      { type: 'submitResponse', ...unknown },
    ])
    const headers = { 'Content-Type': 'application/json', Cookie: 'trialbox_session=x', Authorization: 'Bearer tbk_x' }
    for (const method of ['GET', 'POST']) {
      const url = `http://localhost${p.at}${method === 'POST' ? '/responses' : ''}`
      const request = new Request(url, { method, headers, ...(method === 'POST' && { body: '{}' }) })
      await watched.handle(request, '203.0.113.9')
    }
    expect(lines).toHaveLength(2)
    expect(JSON.stringify(lines)).not.toContain('203.0.113.9')
  })

  proof(
    'takes a thousand answers in a minute from one address',
    async () => {
      const p = await pollStudy()
      const sent = await Promise.all(
        Array.from({ length: 1_000 }, (_, n) => p.answer(50 + (n % 50), { link: 'hall-b' })),
      )
      expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]))
      expect((await p.listed()).total).toBe(1_000)
    },
    60_000,
  )
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
