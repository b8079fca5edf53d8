import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { permissions } from '#db/tables/index'
import { HOUR, parseInstant } from '#kernel/time'
import { study } from '../../study'
import { placeholderStudy } from './allocations.study'
import { entriesOf } from './answers'

describe('allocating', () => {
  test('gives a placeholder’s response to a participant, whose timeline it completes', async () => {
    const s = await placeholderStudy()
    const { anna, trial, id, owner, clock, now, stage, carl } = s
    const before = (await owner.do('readParticipant', trial, anna)).progress.ratioComplete
    clock(HOUR)
    const { status, body } = await s.give(anna)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      _id: id,
      participant: anna,
      participantId: 'P-1',
      stageRecurrence: 0,
      updatedAt: now(),
    })
    expect((await owner.do('readParticipant', trial, anna)).progress.ratioComplete).toBeGreaterThan(before)
    expect(s.counts()).toEqual([{ id: 'P-1', n: 1 }])
    expect((await owner.do('readParticipantResponses', trial, carl)).responses).toEqual([])
    const from = { participant: carl, stageRecurrence: 0 }
    const to = { participant: anna, stageRecurrence: 0 }
    expect(await owner.do('readResponseHistory', s.trial, s.id)).toMatchObject({
      history: [{ createdBy: owner._id }],
      events: [{ type: 'moved', createdBy: owner._id, from, to, signatures: [] }],
    })
    const { type, event } = entriesOf(s, trial).findLast(({ type }) => type !== 'viewParticipant')!
    expect([type, JSON.parse(event)]).toMatchObject(['allocateResponse', { responseId: id, from, to }])
    // It is now her response, and amended as hers.
    const amended = await s.enter({ pulse: 80 })
    expect(amended.body).toMatchObject({ _id: id, stage })
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses follow from 2 submissions')
  })

  test('takes its queries along, and ends what was to be sent to the participant before', async () => {
    const s = await placeholderStudy()
    await s.owner.do('raiseQuery', s.trial, { response: s.id, text: 'Whose is this?' })
    s.db.$client.run(`INSERT INTO dueNotifications VALUES ('${s.id}', 'rest', 0, NULL, NULL, 'Rest.', '[]')`)
    await s.give(s.anna)
    const { queries } = await s.owner.do('listQueries', s.trial, { participant: s.anna })
    expect(queries).toMatchObject([{ participantId: 'P-1', response: s.id }])
    expect(s.db.$client.query('SELECT component FROM dueNotifications').all()).toEqual([])
  })

  test('sets the anchors that the completion sets', async () => {
    const s = await placeholderStudy()
    const rule = { type: 'stage_completion', stageId: s.stage, stageRecurrence: 0 }
    await s.owner.do('createAnchor', s.trial, { name: 'Baseline', assignmentRule: rule })
    await s.give(s.anna)
    expect(s.db.$client.query('SELECT participant FROM participantAnchors').all()).toEqual([{ participant: s.anna }])
  })

  test('takes back the dates that the completion had set, but none that staff set', async () => {
    const s = await placeholderStudy()
    const { owner, trial, db, clock } = s
    const rule = { type: 'stage_completion', stageId: s.stage, stageRecurrence: 0 }
    const anchor = (await owner.do('createAnchor', trial, { name: 'Baseline', assignmentRule: rule }))._id
    const dates = () =>
      db.$client
        .query<{ participant: string; datetime: number }, []>('SELECT participant, datetime FROM participantAnchors')
        .all()
    await s.give(s.anna)
    const first = dates()
    expect(first).toMatchObject([{ participant: s.anna }])
    await s.take()
    expect(dates()).toEqual([])
    clock(HOUR)
    await s.give(s.bert)
    expect(dates()).toEqual([{ participant: s.bert, datetime: first[0]!.datetime }])
    // The same holds for a deleted response: a new one sets the date again.
    await owner.do('deleteResponse', s.trial, s.id, { reason: 'Entered for the wrong visit.' })
    expect(dates()).toEqual([])
    const { event } = entriesOf(s, trial).findLast(({ type }) => type === 'deleteResponse')!
    expect(JSON.parse(event)).toMatchObject({ anchorsCleared: [anchor] })
    const again = await s.enter({ pulse: 60 }, {}, owner, s.url(s.bert))
    expect(dates()).toEqual([{ participant: s.bert, datetime: parseInstant(again.body.createdAt)! }])
    const byHand = '2026-03-01T00:00:00.000000Z'
    await owner.do('setAnchorDate', trial, s.bert, anchor, { datetime: byHand })
    await owner.do('deleteResponse', trial, again.body._id, { reason: 'A test.' })
    expect(dates()).toEqual([{ participant: s.bert, datetime: parseInstant(byHand)! }])
  })

  test('takes the next number of an ad hoc stage, and refuses an occurrence that is taken', async () => {
    const s = await placeholderStudy({ adHoc: true })
    await s.enter({ pulse: 60 })
    expect((await s.give(s.anna)).body.stageRecurrence).toBe(1)
    const t = await placeholderStudy()
    await t.enter({ pulse: 60 })
    expect((await t.give(t.anna)).status).toBe(400)
    expect(t.counts()).toEqual([
      { id: 'P-1', n: 1 },
      { id: 'P-10', n: 1 },
    ])
  })

  test('is refused for what belongs to a real participant, to an archived one, and to itself', async () => {
    const s = await placeholderStudy()
    expect((await s.give(s.carl)).status).toBe(400)
    await s.owner.do('updateParticipant', s.trial, s.anna, { isArchived: true })
    expect((await s.give(s.anna)).status).toBe(400)
    expect((await s.give(s.bert)).status).toBe(200)
    expect((await s.give(s.carl)).status).toBe(400)
  })

  test('needs a participant of the same trial', async () => {
    const s = await placeholderStudy()
    const other = await study({ world: s as never })
    expect((await s.give(other.anna)).status).toBe(404)
    expect((await s.give('0'.repeat(24))).status).toBe(404)
    expect((await s.give('nobody')).status).toBe(422)
    const missing = await s.owner.call('POST', `${s.at}/allocations`)
    expect([missing.status, Object.keys(missing.body.validations.query)]).toEqual([422, ['participant']])
  })

  test('needs trial.admin for the participant who gets it, too', async () => {
    const s = await placeholderStudy()
    const { _id: north } = await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' })
    const { _id: south } = await s.owner.do('createSite', s.trial, { name: 'South', id: 'S1' })
    for (const person of [s.carl, s.bert]) await s.owner.do('addSiteMember', north, person)
    await s.owner.do('addSiteMember', south, s.anna)
    const admin = s.staff(s.trial, ['site.admin'], north)
    s.db
      .insert(permissions)
      .values({ user: admin._id, trial: s.trial, scope: south, keys: ['site.read'] })
      .run()
    expect((await s.give(s.anna, admin)).status).toBe(403)
    expect((await s.give(s.bert, admin)).status).toBe(200)
  })

  test('needs trial.admin and an unlocked database', async () => {
    const s = await placeholderStudy()
    const writer = s.staff(s.trial, ['trial.write'])
    expect((await s.give(s.anna, writer)).status).toBe(403)
    expect((await s.take('', writer)).status).toBe(403)
    expect((await s.give(s.anna, s.neighbours().owner as never)).status).toBe(404)
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    expect((await s.give(s.anna)).status).toBe(403)
    expect((await s.take()).status).toBe(403)
  })
})
