import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { firstOf, present } from '../../present'
import { entriesOf } from '../responses/answers'
import { lastEntry, reviewStudy } from './review.study'

describe('the status', () => {
  test('is set, cleared and kept in the history and the audit trail', async () => {
    const s = await reviewStudy()
    const { owner, events, now, clock, id, trial } = s
    clock(HOUR)
    expect(await owner.do('setResponseStatus', trial, id, { status: 'successful' })).toMatchObject({
      status: 'successful',
      updatedAt: now(),
    })
    expect(lastEntry(s)).toMatchObject({
      type: 'setResponseStatus',
      event: { responseId: s.id, before: { status: null }, after: { status: 'successful' } },
    })
    expect((await owner.do('setResponseStatus', trial, id, { status: null })).status).toBeNull()
    expect(await owner.do('setResponseStatus', trial, id, { status: null })).toMatchObject({ status: null })
    expect(await events()).toEqual([
      {
        type: 'status',
        createdAt: now(),
        createdBy: owner._id,
        createdByType: 'user',
        before: null,
        after: 'successful',
        signatures: [],
      },
      {
        type: 'status',
        createdAt: now(),
        createdBy: owner._id,
        createdByType: 'user',
        before: 'successful',
        after: null,
        signatures: [],
      },
    ])
  })

  test.each([[{}], [{ status: 'done' }], [{ status: true }]])('is refused as %j', async (body) => {
    const { owner, at } = await reviewStudy()
    expect((await owner.call('PUT', `${at}/status`, body)).status).toBe(422)
  })
})

describe('source verification', () => {
  test('marks all fields or one, with person and time', async () => {
    const s = await reviewStudy()
    const { owner, id, ids, now, clock, marks, trial } = s
    const mark = (code: string) => ({ dataType: ids[code]!, verifiedAt: now(), verifiedBy: owner._id })
    const pulse = mark('pulse')
    expect(await owner.do('verifyField', trial, id, ids.pulse)).toEqual({
      responseValidations: { [id]: [pulse] },
    })
    clock(HOUR)
    await owner.do('verifyResponse', trial, id)
    const all = [pulse, mark('symptom'), mark('smoker'), mark('double')]
    expect(await marks()).toHaveLength(4)
    expect(await marks()).toEqual(expect.arrayContaining(all))
    await owner.do('unverifyField', trial, id, ids.pulse)
    expect(await marks()).toEqual(expect.arrayContaining(all.slice(1)))
    expect(await owner.do('unverifyResponse', trial, id)).toEqual({ responseValidations: {} })
    expect(await marks()).toEqual([])
    expect(await owner.do('unverifyResponse', trial, id)).toEqual({ responseValidations: {} })
    expect((await s.events()).map(({ type }) => type)).toEqual(['verified', 'verified', 'unverified', 'unverified'])
    expect(entriesOf(s, s.trial).filter(({ type }) => type.endsWith('verifyResponse'))).toHaveLength(5)
  })

  test('of a field without an answer, or its removal without a mark, is 404', async () => {
    const { owner, at, ids } = await reviewStudy()
    const status = async (method: string, id: string) =>
      (await owner.call(method, `${at}/dataTypes/${id}/validations`)).status
    expect(await status('POST', ids.glucose!)).toBe(404)
    expect(await status('POST', '0'.repeat(24))).toBe(404)
    expect(await status('DELETE', ids.pulse!)).toBe(404)
  })

  test('is removed from fields that an amendment changes, and kept in the history', async () => {
    const s = await reviewStudy()
    const { owner, ids, now, clock, enter, marks, events, id, trial } = s
    await owner.do('verifyResponse', trial, id)
    const verifiedAt = now()
    clock(HOUR)
    await enter({ pulse: 72 })
    expect(await marks()).toHaveLength(4)
    await enter({ pulse: 80, smoker: ['No'] })
    expect((await marks()).map(({ dataType }) => dataType).sort()).toEqual([ids.symptom!, ids.smoker!].sort())
    const { history } = await owner.do('readResponseHistory', trial, id)
    const cleared = present((await events()).at(-1))
    expect(cleared).toMatchObject({
      type: 'cleared',
      createdAt: now(),
      submission: present(history[1]).submission,
      signatures: [],
    })
    const was = { verifiedAt, verifiedBy: owner._id }
    expect(cleared.marks).toHaveLength(2)
    expect(cleared.marks).toEqual(
      expect.arrayContaining([
        { dataType: ids.pulse!, ...was },
        { dataType: ids.double!, ...was },
      ]),
    )
    expect(lastEntry(s).event).toMatchObject({ response: id, entry: { number: expect.any(Number) } })
  })

  test('is removed when the participant amends, too', async () => {
    const { owner, ids, signIn, trial, stage, marks, sent, anna, events, id } = await reviewStudy()
    await owner.do('verifyField', trial, id, ids.pulse)
    const me = await signIn()
    await me.do('submitResponse', trial, stage, sent({ pulse: 90 }))
    expect(await marks()).toEqual([])
    expect((await events()).at(-1)).toMatchObject({ type: 'cleared', createdBy: anna, createdByType: 'participant' })
  })

  test('of hidden fields is not shown, nor is it in the history', async () => {
    const s = await reviewStudy()
    await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
    await s.owner.do('updateDataType', s.ids.double, { isPii: true })
    await s.owner.do('verifyField', s.trial, s.id, s.ids.pulse)
    await s.owner.do('verifyResponse', s.trial, s.id)
    const reader = s.staff(s.trial, ['trial.readParticipantStudyData'])
    const dataTypesIn = (list: { dataType: string }[]) => list.map(({ dataType }) => dataType).sort()
    expect(dataTypesIn(await s.marks(reader as never))).toEqual([s.ids.symptom!, s.ids.smoker!].sort())
    const events = await s.events(reader as never)
    expect(events).toHaveLength(1)
    expect(firstOf(events).dataTypes?.sort()).toEqual([s.ids.symptom!, s.ids.smoker!].sort())
  })
})

describe('review', () => {
  const calls = (at: string, dataType: string): [string, string, unknown][] => [
    ['PUT', `${at}/status`, { status: 'successful' }],
    ['POST', `${at}/validations`, {}],
    ['POST', `${at}/dataTypes/${dataType}/validations`, {}],
    ['DELETE', `${at}/dataTypes/${dataType}/validations`, undefined],
    ['DELETE', `${at}/validations`, undefined],
    ['DELETE', at, { reason: 'because' }],
  ]

  test('is for administrators; others get 403, which is logged, and strangers 404', async () => {
    const s = await reviewStudy()
    const writer = s.staff(s.trial, ['trial.write'])
    const stranger = s.neighbours().owner
    for (const [method, url, body] of calls(s.at, s.ids.pulse!)) {
      expect((await writer.call(method, url, body)).status).toBe(403)
      expect(lastEntry(s).type).toBe('accessRefused')
      expect((await stranger.call(method, url, body)).status).toBe(404)
      expect((await s.nobody.call(method, url, body)).status).toBe(401)
    }
    expect(await s.marks()).toEqual([])
  })

  test('is refused while the database is locked', async () => {
    const s = await reviewStudy()
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    for (const [method, url, body] of calls(s.at, s.ids.pulse!)) {
      expect((await s.owner.call(method, url, body)).body.message).toContain('The database is locked')
    }
  })

  test('is limited to the site of an administrator of a site', async () => {
    const s = await reviewStudy()
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const local = s.staff(s.trial, ['site.admin'], site)
    expect((await local.call('POST', `${s.at}/validations`, {})).status).toBe(404)
    await s.owner.do('addSiteMember', site, s.anna)
    expect((await local.call('POST', `${s.at}/validations`, {})).status).toBe(200)
  })
})
