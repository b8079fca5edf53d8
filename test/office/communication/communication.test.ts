import { describe, expect, test } from 'bun:test'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { parseInstant, SECOND } from '#kernel/time'
import { insertExpired, mailStaff } from '#outbox/messages'
import { handOverStatuses, type Status, statuses } from '#outbox/status'
import { authoredText } from '#texts/writer'
import { reached } from '../../outbox/study'
import { explained } from '../../plan'
import { firstOf } from '../../present'

async function logged() {
  const s = await reached({})
  const path = `/trials/${s.trial}/logs/communication` as const
  const set = (status: Status, _id?: string) =>
    s.db.$client.query('UPDATE outbox SET status = ? WHERE _id = ifnull(?, _id)').run(status, _id ?? null)
  return {
    ...s,
    path,
    set,
    read: async (query: '' | `?${string}` = '') => (await s.owner.get<'readMessages'>(`${path}${query}`)).messages,
  }
}

test('a message to a participant is listed with its fields, and one to staff is not', async () => {
  const s = await logged()
  s.say('sms', 'Please call us.', 'Breath study')
  mailStaff(s.db, parseInstant(s.now())!, s.trial, s.owner, {
    subject: authoredText('A query'),
    body: authoredText('Look.'),
  })
  const answer = await s.owner.do('readMessages', s.trial)
  expect(answer).toEqual({
    messages: [
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        createdAt: s.now(),
        participant: s.anna,
        participantId: 'P-1',
        channel: 'sms',
        recipient: '+44 7700 900123',
        subject: 'Breath study',
        body: 'Please call us.',
        status: 'notSent',
        detail: null,
        attempts: 0,
        sentAt: null,
      },
    ],
    page: 1,
    nextPageAvailable: false,
  })
})

test('an unreachable one has no recipient', async () => {
  const s = await logged()
  insertExpired(
    s.db,
    1,
    rowById(s.db, participants, s.anna)!,
    { subject: null, body: authoredText('Hello') },
    'Too late.',
  )
  s.db.$client.run(`UPDATE outbox SET channel = 'email'`)
  expect(await s.read()).toMatchObject([{ recipient: null, status: 'expired', detail: 'Too late.', subject: null }])
})

test('pages have thirty, newest first, up to the last', async () => {
  const s = await logged()
  for (let n = 1; n <= 61; n++) {
    s.clock(SECOND)
    s.say('email', `${n}`)
  }
  const bodies = async (page: number) => (await s.read(`?page=${page}`)).map(({ body }) => Number(body))
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)
  expect(await bodies(1)).toEqual(down(61, 32))
  expect(await bodies(2)).toEqual(down(31, 2))
  expect(await bodies(3)).toEqual([1])
  expect(await bodies(4)).toEqual([])
  const next = async (page: number) => (await s.owner.do('readMessages', s.trial, { page })).nextPageAvailable
  expect([await next(1), await next(2), await next(3), await next(4)]).toEqual([true, true, false, false])
})

test('the list is filtered by status and channel', async () => {
  const s = await logged()
  for (const channel of ['sms', 'email', 'whatsapp'] as const) s.say(channel, channel)
  const whatsapp = firstOf(await s.read())
  s.set('failed', whatsapp._id)
  const found = async (query: `?${string}`) => (await s.read(query)).map(({ body }) => body)
  expect(await found('?status=failed')).toEqual(['whatsapp'])
  expect(await found('?status=notSent')).toEqual(['email', 'sms'])
  expect(await found('?channel=sms')).toEqual(['sms'])
  expect(await found('?channel=sms&status=failed')).toEqual([])
  expect(await found('?channel=whatsapp&status=failed')).toEqual(['whatsapp'])
  for (const query of ['?status=lost', '?channel=pigeon', '?page=0']) {
    expect((await s.owner.call('GET', s.path + query)).status).toBe(422)
  }
})

test('a page is found by an index, with any filters', async () => {
  const { db } = await logged()
  for (const filter of ['', `AND status = 'sent'`, `AND channel = 'sms'`, `AND status = 'sent' AND channel = 'sms'`]) {
    const plan = explained(
      db.$client,
      `SELECT _id FROM outbox WHERE trial = 'x' AND participant IS NOT NULL ${filter} ORDER BY _id DESC LIMIT 31`,
    )
    expect(JSON.stringify(plan)).toContain('INDEX outboxLog')
    expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE')
  }
})

describe('handing over a message', () => {
  test.each(statuses.map((status) => [status]))('that is %s', async (status) => {
    const s = await logged()
    s.say('sms')
    const { _id } = firstOf(await s.read())
    s.set(status)
    const body = { status: 'handedOver', note: 'Told on the telephone.' }
    const answer = await s.owner.call('PUT', `${s.path}/${_id}`, body)
    if (!handOverStatuses.includes(status)) {
      expect(answer.status).toBe(400)
      expect(await s.read()).toMatchObject([{ status, detail: null }])
      return
    }
    expect(answer).toMatchObject({ status: 200, body: { _id, status: 'handedOver', detail: body.note } })
    const { type, event, participantId } = firstOf((await s.owner.do('readLogs', s.trial)).entries)
    expect({ type, participantId, event }).toEqual({
      type: 'handOverMessage',
      participantId: 'P-1',
      event: {
        trialId: s.trial,
        messageId: _id,
        channel: 'sms',
        before: { status },
        after: { status: 'handedOver' },
      },
    })
  })

  test('accepts that status only, and a note of 1 to 500 characters', async () => {
    const s = await logged()
    s.say('sms')
    const { _id } = firstOf(await s.read())
    const put = async (body: unknown) => (await s.owner.call('PUT', `${s.path}/${_id}`, body)).status
    const status = 'handedOver'
    for (const body of [{}, { status: 'sent' }, { status, note: '' }, { status, note: 'x'.repeat(501) }]) {
      expect(await put(body)).toBe(422)
    }
    expect(await put({ status, note: 'x'.repeat(500) })).toBe(200)
  })

  test('is not possible for messages to staff or of another trial', async () => {
    const s = await logged()
    mailStaff(s.db, 1, s.trial, s.owner, { subject: authoredText('A query'), body: authoredText('Look.') })
    const { _id: toStaff } = s.db.$client.query('SELECT _id FROM outbox').get() as { _id: string }
    s.say('sms')
    const { _id } = firstOf(await s.read())
    const elsewhere = `/trials/${await otherTrial(s)}/logs/communication/${_id}`
    for (const path of [`${s.path}/${toStaff}`, elsewhere]) {
      expect((await s.owner.call('PUT', path, { status: 'handedOver' })).status).toBe(404)
    }
  })
})

const otherTrial = async ({ owner, team }: Awaited<ReturnType<typeof logged>>) =>
  (await owner.do('createTrial', team, { name: 'Another' }))._id

test('reading the log and handing over need trial.admin; others get 403, which is logged', async () => {
  const s = await logged()
  s.say('sms')
  const { _id } = firstOf(await s.read())
  const admin = s.staff(s.trial, ['trial.admin'])
  expect((await admin.do('readMessages', s.trial)).messages).toMatchObject([
    { recipient: '+44 7700 900123', body: expect.any(String) },
  ])
  const writer = s.staff(s.trial, ['trial.write', 'trial.readLogs', 'trial.readParticipantPersonalInformation'])
  expect((await writer.call('GET', s.path)).status).toBe(403)
  expect((await writer.call('PUT', `${s.path}/${_id}`, { status: 'handedOver' })).status).toBe(403)
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'accessRefused' })
  expect(entries).toHaveLength(2)
  expect((await s.neighbours().owner.call('GET', s.path)).status).toBe(404)
})
