import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ForType } from '#conduct/uploads/model'
import { files } from '#db/tables/index'
import { HOUR, parseInstant } from '#kernel/time'
import { newStoredName, uploadPath } from '#storage/names'
import { entriesOf } from '../responses/answers'
import { queryStudy } from './queries.study'

describe('a query', () => {
  test('is raised on a field, and shown by itself, in the list and with its response', async () => {
    const s = await queryStudy()
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
    expect(await monitor.do('readQuery', body._id)).toEqual(body)
    expect((await monitor.do('listQueries', s.trial)).queries).toEqual([body])
    expect((await owner.do('readResponse', trial, response)).queries).toEqual([body])
    expect((await owner.do('readParticipantResponses', trial, anna)).queries).toEqual([body])
    const { type, event } = entriesOf(s, trial).at(-1)!
    expect(type).toBe('raiseQuery')
    expect(JSON.parse(event)).toMatchObject({ query: body._id, response, dataType: ids.pulse! })
    expect(event).not.toContain('right')
  })

  test('is answered by others and reopened by the person who raised it', async () => {
    const s = await queryStudy()
    const { body } = await s.raise()
    const say = (text: string, by: typeof s.nurse) => by.do('answerQuery', body._id, { text })
    s.clock(HOUR)
    const answered = await say('Yes, taken twice.', s.nurse)
    expect(answered).toMatchObject({ status: 'answered', updatedAt: s.now() })
    expect(answered.messages.map(({ text }) => text)).toEqual(['Is this right?', 'Yes, taken twice.'])
    expect((await say('With which device?', s.monitor)).status).toBe('open')
    expect(entriesOf(s, s.trial).at(-1)!.type).toBe('answerQuery')
    expect(entriesOf(s, s.trial).at(-1)!.event).not.toContain('device?')
    expect(() => s.db.$client.run("UPDATE queryMessages SET text = 'x'")).toThrow('not changed')
  })

  test('is closed by the person who raised it or an administrator, and takes no messages until it is reopened', async () => {
    const s = await queryStudy()
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

  test('can be read, changed and sent back', async () => {
    const s = await queryStudy()
    const { body } = await s.raise()
    // All but what was set when it was raised.
    const { response: _, dataType: __, ...rest } = body
    expect((await s.monitor.do('updateQuery', body._id, { ...rest, assignees: [s.nurse._id] })).assignees).toEqual([
      s.nurse._id,
    ])
    expect((await s.monitor.call('PUT', `/queries/${body._id}`, body)).status).toBe(200)
    const other = { ...body, response: s.anna, dataType: null }
    const refused = await s.monitor.call('PUT', `/queries/${body._id}`, other)
    expect(Object.keys(refused.body.details.fields)).toEqual(['response', 'dataType'])
  })

  test('may be about the response as a whole', async () => {
    const s = await queryStudy()
    expect((await s.raise({ dataType: null })).body.dataType).toBeNull()
    expect((await s.raise({ dataType: undefined })).body.dataType).toBeNull()
  })

  test('continues while the database is locked', async () => {
    const s = await queryStudy()
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    const { status, body } = await s.raise()
    expect(status).toBe(200)
    await s.nurse.do('answerQuery', body._id, { text: 'Yes.' })
  })

  test('is kept but no longer shown after its response is deleted', async () => {
    const s = await queryStudy()
    await s.raise()
    await s.owner.do('deleteResponse', s.trial, s.response, { reason: 'A test.' })
    expect(await s.list()).toEqual([])
    expect(s.db.$client.query('SELECT text FROM queryMessages').all()).toEqual([{ text: 'Is this right?' }])
  })
})

describe('attachments', () => {
  const uploaded = (s: Awaited<ReturnType<typeof queryStudy>>, forType: ForType, forId: string, isFinished = true) => {
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

  test('must be finished uploads for this query', async () => {
    const s = await queryStudy()
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

  test('are deleted with the participant', async () => {
    const s = await queryStudy()
    const { body } = await s.raise()
    const fileName = uploaded(s, 'query', body._id)
    const path = uploadPath(join(s.directory, 'files'), fileName)
    await Bun.write(path, 'a scan')
    await s.nurse.do('answerQuery', body._id, { text: 'See here.', attachments: [fileName] })
    await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'Asked for it' })
    expect(s.db.select().from(files).all()).toEqual([])
    while (existsSync(path)) await Bun.sleep(1) // removed after the answer
  })
})
