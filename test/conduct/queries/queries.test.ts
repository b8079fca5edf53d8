import { describe, expect, test } from 'bun:test'
import type { ForType } from '#conduct/uploads/model'
import { files } from '#db/tables/index'
import { HOUR, parseInstant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'

/** A study with a response of Anna's, and a monitor and a nurse who may write. */
async function querying() {
  const s = await study()
  const { body } = await s.enter({ pulse: 72, symptom: 'cough' })
  const monitor = s.staff(s.trial, ['trial.write'])
  const nurse = s.staff(s.trial, ['trial.writeParticipantStudyData'])
  const all = `/trials/${s.trial}/queries`
  return {
    ...s,
    response: body._id as string,
    monitor,
    nurse,
    all,
    raise: (more: Record<string, unknown> = {}, by: { call: typeof monitor.call } = monitor) =>
      by.call('POST', all, { response: body._id, dataType: s.ids.pulse, text: 'Is this right?', ...more }),
    list: async (query = '', by: { get: typeof monitor.get } = monitor) =>
      (await by.get(`${all}${query}`)).queries.map(({ _id }: { _id: string }) => _id),
  }
}

describe('a query', () => {
  test('is raised on a field, and read alone, in the list and with its response', async () => {
    const s = await querying()
    const { monitor, nurse, response, trial, stage, anna, ids, now, owner } = s
    const { status, body } = await s.raise({ assignees: [nurse._id] })
    expect(status).toBe(200)
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      trial,
      createdAt: now(),
      updatedAt: now(),
      createdBy: monitor._id,
      isAutomatic: false,
      rule: null,
      instructions: null,
      participant: anna,
      participantId: 'P-1',
      response,
      stage,
      stageRecurrence: 0,
      dataType: ids.pulse!,
      status: 'open',
      assignees: [nurse._id],
      messages: [
        {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          createdAt: now(),
          createdBy: monitor._id,
          text: 'Is this right?',
          attachments: [],
        },
      ],
    })
    expect(await monitor.get(`/queries/${body._id}`)).toEqual(body)
    expect((await monitor.get(s.all)).queries).toEqual([body])
    expect((await owner.get(`/trials/${trial}/responses/${response}`)).queries).toEqual([body])
    expect((await owner.get(`/trials/${trial}/participants/${anna}/responses`)).queries).toEqual([body])
    const { type, event } = entriesOf(s, trial).at(-1)!
    expect(type).toBe('raiseQuery')
    expect(JSON.parse(event)).toMatchObject({ query: body._id, response, dataType: ids.pulse! })
    expect(event).not.toContain('right')
  })

  test('is answered by others and opened again by whoever raised it', async () => {
    const s = await querying()
    const { body } = await s.raise()
    const say = (text: string, by: typeof s.nurse) => by.post(`/queries/${body._id}/messages`, { text })
    s.clock(HOUR)
    const answered = await say('Yes, taken twice.', s.nurse)
    expect(answered).toMatchObject({ status: 'answered', updatedAt: s.now() })
    expect(answered.messages.map(({ text }: { text: string }) => text)).toEqual(['Is this right?', 'Yes, taken twice.'])
    expect((await say('With which device?', s.monitor)).status).toBe('open')
    expect(entriesOf(s, s.trial).at(-1)!.type).toBe('answerQuery')
    expect(entriesOf(s, s.trial).at(-1)!.event).not.toContain('device?')
    expect(() => s.db.$client.run("UPDATE queryMessages SET text = 'x'")).toThrow('not changed')
  })

  test('is closed by whoever raised it or an administrator, and then takes no more until it is reopened', async () => {
    const s = await querying()
    const { body } = await s.raise()
    const at = `/queries/${body._id}`
    const put = async (change: object, by: { call: typeof s.nurse.call }) => (await by.call('PUT', at, change)).status
    expect(await put({ status: 'closed' }, s.nurse)).toBe(403)
    expect(await put({ status: 'closed' }, s.monitor)).toBe(200)
    expect((await s.nurse.call('POST', `${at}/messages`, { text: 'But' })).status).toBe(400)
    expect(await put({ status: 'open' }, s.nurse)).toBe(200)
    expect(await put({ status: 'closed' }, s.owner)).toBe(200)
    const { event } = entriesOf(s, s.trial).at(-1)!
    expect(JSON.parse(event)).toMatchObject({
      queryId: body._id,
      before: { status: 'open' },
      after: { status: 'closed' },
    })
    expect(await put({ status: 'gone' }, s.owner)).toBe(422)
  })

  test('may be read, changed and written back', async () => {
    const s = await querying()
    const { body } = await s.raise()
    expect((await s.monitor.put(`/queries/${body._id}`, { ...body, assignees: [s.nurse._id] })).assignees).toEqual([
      s.nurse._id,
    ])
  })

  test('may be about the response as a whole', async () => {
    const s = await querying()
    expect((await s.raise({ dataType: null })).body.dataType).toBeNull()
    expect((await s.raise({ dataType: undefined })).body.dataType).toBeNull()
  })

  test('goes on while the database is locked', async () => {
    const s = await querying()
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    const { status, body } = await s.raise()
    expect(status).toBe(200)
    await s.nurse.post(`/queries/${body._id}/messages`, { text: 'Yes.' })
  })

  test('is no longer shown once its response is deleted, and kept', async () => {
    const s = await querying()
    await s.raise()
    await s.owner.delete(`/trials/${s.trial}/responses/${s.response}`, { reason: 'A test.' })
    expect(await s.list()).toEqual([])
    expect(s.db.$client.query('SELECT text FROM queryMessages').all()).toEqual([{ text: 'Is this right?' }])
  })
})

describe('refusals of a query', () => {
  test.each([
    [422, { text: '' }],
    [422, { text: undefined }],
    [422, { response: 'x' }],
    [404, { response: '0'.repeat(24) }],
    [400, { dataType: '0'.repeat(24) }],
    [400, { assignees: ['0'.repeat(24)] }],
  ])('%d: %j', async (expected, body) => {
    const s = await querying()
    expect((await s.raise(body)).status).toBe(expected)
    expect(await s.list()).toEqual([])
  })

  test('assignees must be able to read the response', async () => {
    const s = await querying()
    const site = (await s.owner.post(`/trials/${s.trial}/sites`, { name: 'North', id: 'N1' }))._id
    const local = s.staff(s.trial, ['site.read'], site)
    expect((await s.raise({ assignees: [local._id] })).status).toBe(400)
    await s.owner.put(`/sites/${site}/memberships/${s.anna}`)
    expect((await s.raise({ assignees: [local._id] })).status).toBe(200)
    expect((await s.raise({ assignees: [s.staff(s.trial, ['trial.readFiles'])._id] })).status).toBe(400)
  })

  test('reading and writing need their permission; another team sees nothing', async () => {
    const s = await querying()
    const { body } = await s.raise()
    const reader = s.staff(s.trial, ['trial.readParticipantStudyData'])
    const outsider = s.staff(s.trial, ['trial.readFiles'])
    const stranger = s.neighbours().owner
    const at = `/queries/${body._id}`
    const calls: [string, string, object?][] = [
      ['GET', s.all],
      ['GET', at],
      ['POST', s.all, { response: s.response, text: 'Why?' }],
      ['PUT', at, { status: 'answered' }],
      ['POST', `${at}/messages`, { text: 'So.' }],
    ]
    for (const [index, [method, url, sent]] of calls.entries()) {
      const status = async (by: { call: typeof reader.call }) => (await by.call(method, url, sent)).status
      expect(await status(reader)).toBe(index < 2 ? 200 : 403)
      expect(await status(outsider)).toBe(403)
      expect(await status(stranger)).toBe(404)
      expect(await status(s.nobody)).toBe(401)
    }
  })
})

describe('who sees a query', () => {
  test('only those who see its field', async () => {
    const s = await querying()
    const { body } = await s.raise()
    const open = (await s.raise({ dataType: s.ids.symptom })).body
    const whole = (await s.raise({ dataType: null })).body
    const site = (await s.owner.post(`/trials/${s.trial}/sites`, { name: 'North', id: 'N1' }))._id
    const other = (await s.owner.post(`/trials/${s.trial}/sites`, { name: 'South', id: 'S1' }))._id
    await s.owner.put(`/sites/${site}/memberships/${s.anna}`)
    await s.owner.put(`/data-types/${s.ids.pulse}`, { isRestricted: true })
    const restricted = 'trial.readParticipantStudyDataRestricted'
    const reader = s.staff(s.trial, ['trial.read'])
    const trusted = s.staff(s.trial, ['trial.read', restricted])
    const local = s.staff(s.trial, ['site.read', 'site.readParticipantStudyDataRestricted'], site)
    const elsewhere = s.staff(s.trial, ['site.read', 'site.readParticipantStudyDataRestricted'], other)
    const all = [whole._id, open._id, body._id]
    expect(await s.list('', s.owner)).toEqual(all)
    expect(await s.list('', reader)).toEqual(all.slice(0, 2))
    expect(await s.list('', trusted)).toEqual(all)
    expect(await s.list('', local)).toEqual(all)
    expect(await s.list('', elsewhere)).toEqual([])
    expect((await reader.call('GET', `/queries/${body._id}`)).status).toBe(404)
    expect((await elsewhere.call('GET', `/queries/${open._id}`)).status).toBe(404)
    const { queries } = await reader.get(`/trials/${s.trial}/responses/${s.response}`)
    expect(queries.map(({ _id }: { _id: string }) => _id)).toEqual([open._id, whole._id])
    // Nobody can raise a query on a field that is hidden from them, or learn that the field exists.
    expect((await s.raise({}, s.nurse)).status).toBe(400)
    await s.owner.put(`/data-types/${s.ids.pulse}`, { isRestricted: false, isPii: true })
    expect(await s.list('', trusted)).toEqual(all.slice(0, 2))
  })

  test('lists are filtered and paged', async () => {
    const s = await querying()
    const bert = (await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.bert))).body._id
    const one = (await s.raise({ assignees: [s.nurse._id] })).body._id
    const two = (await s.raise({ response: bert })).body._id
    const three = (await s.raise()).body._id
    await s.monitor.put(`/queries/${three}`, { status: 'closed' })
    expect(await s.list()).toEqual([three, two, one])
    expect(await s.list('?status=open')).toEqual([two, one])
    expect(await s.list(`?participant=${s.bert}`)).toEqual([two])
    expect(await s.list(`?response=${s.response}&status=closed`)).toEqual([three])
    expect(await s.list(`?assignee=${s.nurse._id}`)).toEqual([one])
    expect(await s.monitor.get(`${s.all}?perPage=2`)).toMatchObject({ page: 1, nextPageAvailable: true })
    expect(await s.list('?perPage=2&page=2')).toEqual([one])
    expect((await s.monitor.call('GET', `${s.all}?perPage=201`)).status).toBe(422)
  })
})

describe('e-mails', () => {
  /** The recipients and texts of e-mails, in order. */
  const mailsIn = ({ db }: { db: Awaited<ReturnType<typeof querying>>['db'] }) =>
    db.$client
      .query<{ recipient: string; subject: string; body: string }, []>(
        "SELECT recipient, subject, body FROM outbox WHERE channel = 'email' AND status = 'notSent' ORDER BY _id",
      )
      .all()

  test('go to who is assigned, once, and never to who did it', async () => {
    const s = await querying()
    const { body } = await s.raise({ assignees: [s.nurse._id, s.monitor._id] })
    const first = {
      recipient: s.nurse.email,
      subject: 'Breath study: a query for you',
      body: 'Study: Breath study\nParticipant P-1, form “Visit”\n',
    }
    expect(mailsIn(s)).toEqual([first])
    const at = `/queries/${body._id}`
    await s.monitor.put(at, { assignees: [s.nurse._id, s.monitor._id, s.owner._id] })
    expect(mailsIn(s)).toEqual([first, { ...first, recipient: s.owner.email }])
    await s.monitor.put(at, { status: 'answered', assignees: [s.nurse._id] })
    await s.nurse.put(at, { assignees: [s.nurse._id, s.monitor._id] })
    expect(mailsIn(s).map(({ recipient }) => recipient)).toEqual([s.nurse.email, s.owner.email, s.monitor.email])
  })

  test('go to the assignees and to whoever raised it when somebody else writes', async () => {
    const s = await querying()
    const { body } = await s.raise({ assignees: [s.nurse._id, s.owner._id] })
    const write = async (by: typeof s.nurse, text: string) => {
      s.db.$client.run('DELETE FROM outbox')
      await by.post(`/queries/${body._id}/messages`, { text })
      for (const { subject, body } of mailsIn(s)) {
        expect(subject).toBe('Breath study: a new message on a query')
        expect(body).toBe('Study: Breath study\nParticipant P-1, form “Visit”\n')
      }
      return mailsIn(s).map(({ recipient }) => recipient)
    }
    expect(await write(s.nurse, 'Yes, 72.')).toEqual([s.owner.email, s.monitor.email])
    expect(await write(s.monitor, 'With which device?')).toEqual([s.owner.email, s.nurse.email])
    s.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(s.owner._id)
    expect(await write(s.monitor, 'Well?')).toEqual([s.nurse.email])
    s.db.$client.query('DELETE FROM permissions WHERE user = ?').run(s.nurse._id)
    expect(await write(s.monitor, 'Hello?')).toEqual([])
  })

  test('do not go to who does not see the field', async () => {
    const s = await querying()
    const trusted = s.staff(s.trial, ['trial.read', 'trial.readParticipantStudyDataRestricted'])
    const assignees = [s.nurse._id, trusted._id]
    const { body } = await s.raise({ assignees }, s.owner)
    await s.owner.put(`/data-types/${s.ids.pulse}`, { isRestricted: true })
    s.db.$client.run('DELETE FROM outbox')
    // Earlier assignees get no e-mail after the field is restricted, and people who cannot read it cannot be assigned.
    await s.owner.post(`/queries/${body._id}/messages`, { text: 'Well?' })
    expect(mailsIn(s).map(({ recipient }) => recipient)).toEqual([trusted.email])
    expect((await s.raise({ assignees }, s.owner)).status).toBe(400)
    await s.raise({ assignees, dataType: null })
    expect(mailsIn(s).map(({ recipient }) => recipient)).toEqual([trusted.email, s.nurse.email, trusted.email])
  })

  test('go out for nothing that was refused', async () => {
    const s = await querying()
    expect((await s.raise({ assignees: [s.nurse._id, s.invite()._id] })).status).toBe(400)
    expect(mailsIn(s)).toEqual([])
  })

  test('name the occurrence, and nobody where the response is nobody’s', async () => {
    const s = await querying()
    const series = { isRecurring: true, recurringFrequency: 1, recurringDuration: 3, name: 'Day %n' }
    await s.owner.put(`/stages/${s.stage}`, series)
    const { body } = await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.bert, `${s.stage}::2`))
    await s.raise({ response: body._id, assignees: [s.owner._id] })
    s.db.$client.query('UPDATE responses SET participant = NULL WHERE _id = ?').run(body._id)
    await s.raise({ response: body._id, assignees: [s.owner._id] })
    expect(mailsIn(s).map(({ body }) => body.split('\n')[1])).toEqual([
      'Participant P-2, form “Day 3”',
      'Response of nobody yet, form “Day 3”',
    ])
  })
})

describe('attachments', () => {
  const uploaded = (s: Awaited<ReturnType<typeof querying>>, forType: ForType, forId: string, isFinished = true) => {
    const at = parseInstant(s.now())!
    const storedName = newStoredName('scan.pdf', at)
    const finishedAt = isFinished ? at : null
    const content = { name: 'scan.pdf', type: 'application/pdf', size: 5, createdBy: s.owner._id }
    s.db
      .insert(files)
      .values({ storedName, createdAt: at, kind: 'upload', trial: s.trial, forType, forId, finishedAt, ...content })
      .run()
    return storedName
  }

  test('are finished uploads for this very query', async () => {
    const s = await querying()
    const { body } = await s.raise()
    const other = (await s.raise()).body
    const send = (...attachments: string[]) =>
      s.nurse.call('POST', `/queries/${body._id}/messages`, { text: 'See here.', attachments })
    const fileName = uploaded(s, 'query', body._id)
    const answered = await send(fileName)
    expect(answered.body.messages[1].attachments).toEqual([
      { fileName, name: 'scan.pdf', type: 'application/pdf', size: 5, url: expect.any(String) },
    ])
    expect((await send(uploaded(s, 'query', other._id))).status).toBe(400)
    expect((await send(uploaded(s, 'participant', s.anna))).status).toBe(400)
    expect((await send(uploaded(s, 'query', body._id, false))).status).toBe(400)
    expect((await send('nothing.pdf')).status).toBe(400)
  })
})
