import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { files } from '#db/tables/index'
import { HOUR, parseInstant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { study } from '../../study'
import { entriesOf } from './answers'

/** A study in which Carl is a placeholder, with a response of his. */
async function placeholder(stage: Record<string, unknown> = {}) {
  const s = await study({ stage })
  await s.owner.put(`/trials/${s.trial}/participants/${s.carl}`, { isUnallocated: true })
  const { body } = await s.enter({ pulse: 72 }, {}, s.owner, s.url(s.carl))
  const at = `/trials/${s.trial}/responses/${body._id}`
  const counts = () =>
    s.db.$client.query('SELECT id, responseCount AS n FROM participants WHERE responseCount > 0 ORDER BY id').all()
  return {
    ...s,
    id: body._id as string,
    at,
    counts,
    give: (to: string, by = s.owner) => by.call('POST', `${at}/allocations?participant=${to}`),
    take: (of = '', by = s.owner) => by.call('DELETE', `${at}/allocations?participant=${of}`),
  }
}

type Placeholder = Awaited<ReturnType<typeof placeholder>>

/** Removes the participant from the response, as a poll's response has none. */
async function detached(s: Placeholder) {
  await s.give(s.bert)
  expect((await s.take()).status).toBe(200)
  return s
}

describe('allocating', () => {
  test('gives a placeholder’s response to a participant, whose timeline it completes', async () => {
    const s = await placeholder()
    const { anna, trial, id, owner, clock, now, stage, carl } = s
    const before = (await owner.get(`/trials/${trial}/participants/${anna}`)).progress.ratioComplete
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
    expect((await owner.get(`/trials/${trial}/participants/${anna}`)).progress.ratioComplete).toBeGreaterThan(before)
    expect(s.counts()).toEqual([{ id: 'P-1', n: 1 }])
    expect((await owner.get(`/trials/${trial}/participants/${carl}/responses`)).responses).toEqual([])
    const from = { participant: carl, stageRecurrence: 0 }
    const to = { participant: anna, stageRecurrence: 0 }
    expect(await owner.get(`${s.at}/history`)).toMatchObject({
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
    const s = await placeholder()
    await s.owner.post(`/trials/${s.trial}/queries`, { response: s.id, text: 'Whose is this?' })
    s.db.$client.run(`INSERT INTO dueNotifications VALUES ('${s.id}', 'rest', 0, NULL, NULL, 'Rest.')`)
    await s.give(s.anna)
    const { queries } = await s.owner.get(`/trials/${s.trial}/queries?participant=${s.anna}`)
    expect(queries).toMatchObject([{ participantId: 'P-1', response: s.id }])
    expect(s.db.$client.query('SELECT component FROM dueNotifications').all()).toEqual([])
  })

  test('sets the anchors that the completion sets', async () => {
    const s = await placeholder()
    const rule = { type: 'stage_completion', stageId: s.stage, stageRecurrence: 0 }
    await s.owner.post(`/trials/${s.trial}/anchors`, { name: 'Baseline', assignmentRule: rule })
    await s.give(s.anna)
    expect(s.db.$client.query('SELECT participant FROM participantAnchors').all()).toEqual([{ participant: s.anna }])
  })

  test('takes back the dates that the completion had set, but none that staff set', async () => {
    const s = await placeholder()
    const { owner, trial, db, clock } = s
    const rule = { type: 'stage_completion', stageId: s.stage, stageRecurrence: 0 }
    const anchor = (await owner.post(`/trials/${trial}/anchors`, { name: 'Baseline', assignmentRule: rule }))._id
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
    await owner.delete(s.at, { reason: 'Entered for the wrong visit.' })
    expect(dates()).toEqual([])
    const { event } = entriesOf(s, trial).findLast(({ type }) => type === 'deleteResponse')!
    expect(JSON.parse(event)).toMatchObject({ anchorsCleared: [anchor] })
    const again = await s.enter({ pulse: 60 }, {}, owner, s.url(s.bert))
    expect(dates()).toEqual([{ participant: s.bert, datetime: parseInstant(again.body.createdAt)! }])
    const byHand = '2026-03-01T00:00:00.000000Z'
    await owner.put(`/trials/${trial}/participants/${s.bert}/anchors/${anchor}`, { datetime: byHand })
    await owner.delete(`/trials/${trial}/responses/${again.body._id}`, { reason: 'A test.' })
    expect(dates()).toEqual([{ participant: s.bert, datetime: parseInstant(byHand)! }])
  })

  test('takes the next number of an ad hoc stage, and refuses an occurrence that is taken', async () => {
    const s = await placeholder({ adHoc: true })
    await s.enter({ pulse: 60 })
    expect((await s.give(s.anna)).body.stageRecurrence).toBe(1)
    const t = await placeholder()
    await t.enter({ pulse: 60 })
    expect((await t.give(t.anna)).status).toBe(400)
    expect(t.counts()).toEqual([
      { id: 'P-1', n: 1 },
      { id: 'P-10', n: 1 },
    ])
  })

  test('is refused for what belongs to a real participant, to an archived one, and to itself', async () => {
    const s = await placeholder()
    expect((await s.give(s.carl)).status).toBe(400)
    await s.owner.put(`/trials/${s.trial}/participants/${s.anna}`, { isArchived: true })
    expect((await s.give(s.anna)).status).toBe(400)
    expect((await s.give(s.bert)).status).toBe(200)
    expect((await s.give(s.carl)).status).toBe(400)
  })

  test('needs a participant of the same trial', async () => {
    const s = await placeholder()
    const other = await study({ world: s as never })
    expect((await s.give(other.anna)).status).toBe(404)
    expect((await s.give('0'.repeat(24))).status).toBe(404)
    expect((await s.give('nobody')).status).toBe(422)
    const missing = await s.owner.call('POST', `${s.at}/allocations`)
    expect([missing.status, Object.keys(missing.body.validations.query)]).toEqual([422, ['participant']])
  })

  test('needs trial.admin and an unlocked database', async () => {
    const s = await placeholder()
    const writer = s.staff(s.trial, ['trial.write'])
    expect((await s.give(s.anna, writer)).status).toBe(403)
    expect((await s.take('', writer)).status).toBe(403)
    expect((await s.give(s.anna, s.neighbours().owner as never)).status).toBe(404)
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
    expect((await s.give(s.anna)).status).toBe(403)
    expect((await s.take()).status).toBe(403)
  })
})

describe('detaching', () => {
  test('makes an allocated response nobody’s, to be allocated again', async () => {
    const s = await placeholder()
    await s.give(s.bert)
    const { status, body } = await s.take(s.bert)
    expect(status).toBe(200)
    expect(body).toMatchObject({ participant: null, participantId: null })
    expect(s.counts()).toEqual([])
    expect((await s.owner.get(s.at)).responses[0]).toMatchObject({ participant: null })
    expect((await s.give(s.anna)).body.participant).toBe(s.anna)
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
  })

  test('is refused for a response of nobody’s, or of somebody else', async () => {
    const s = await placeholder()
    await s.give(s.bert)
    expect((await s.take(s.anna)).status).toBe(400)
    expect((await s.take(s.bert)).status).toBe(200)
    expect((await s.take()).status).toBe(400)
  })

  test('works for a response that was entered for its participant, and undoes what it completed', async () => {
    const s = await study()
    const { owner, trial, anna, bert, stage } = s
    const { _id } = (await s.enter({ pulse: 72 })).body
    const progress = async (of: string) => (await owner.get(`/trials/${trial}/participants/${of}`)).progress
    const done = await progress(anna)
    const at = `/trials/${trial}/responses/${_id}`
    const admin = s.staff(trial, ['trial.write'])
    expect((await admin.call('DELETE', `${at}/allocations`)).status).toBe(403)
    const { status, body } = await owner.call('DELETE', `${at}/allocations`)
    expect([status, body.participant]).toEqual([200, null])
    expect(await progress(anna)).toEqual(await progress(bert))
    expect(await progress(anna)).not.toEqual(done)
    expect((await owner.get(`${at}/history`)).events).toMatchObject([
      { type: 'moved', createdBy: owner._id, from: { participant: anna }, to: { participant: null } },
    ])
    // A new response can be entered for the occurrence; then the old one cannot go back there.
    expect((await s.enter({ pulse: 80 })).body._id).not.toBe(_id)
    expect((await owner.call('POST', `${at}/allocations?participant=${anna}`)).status).toBe(400)
    expect((await owner.call('POST', `${at}/allocations?participant=${bert}`)).body.participant).toBe(bert)
    expect((await owner.get(`/trials/${trial}/stages/${stage}/responses`)).responses).toHaveLength(2)
    expect(verifyResponses(s.db.$client)).toStartWith('2 responses follow from')
  })

  test('shows nobody’s response to those who see all participants only', async () => {
    const s = await detached(await placeholder())
    const site = (await s.owner.post(`/trials/${s.trial}/sites`, { name: 'North', id: 'N1' }))._id
    expect((await s.staff(s.trial, ['site.admin'], site).call('GET', s.at)).status).toBe(404)
    expect((await s.staff(s.trial, ['trial.read']).call('GET', s.at)).status).toBe(200)
  })
})

describe('what goes with whom', () => {
  test('the files of a response go where it goes', async () => {
    const s = await placeholder()
    const at = parseInstant(s.now())!
    const storedName = newStoredName('me.png', at)
    const file = { name: 'me.png', type: 'image/png', size: 5, createdBy: s.owner._id, trial: s.trial }
    const owned = { forType: 'participant' as const, forId: s.carl, kind: 'upload' as const }
    s.db
      .insert(files)
      .values({ storedName, createdAt: at, finishedAt: at, ...file, ...owned })
      .run()
    const owner = () => s.db.$client.query('SELECT forId FROM files').get()
    await s.enter({ photo: { fileName: storedName, name: 'me.png' } }, {}, s.owner, s.url(s.carl))
    await s.enter({ photo: null }, {}, s.owner, s.url(s.carl))
    await s.give(s.bert)
    expect(owner()).toEqual({ forId: s.bert })
    await s.take()
    expect(owner()).toEqual({ forId: s.id })
    await erase(s, s.bert)
    await s.give(s.anna)
    expect(owner()).toEqual({ forId: s.anna })
    await erase(s, s.anna)
    expect(owner()).toBeNull()
  })

  const left = (s: Placeholder) => s.db.$client.query('SELECT response FROM submissions').all().length
  const erase = (s: Placeholder, participant: string) =>
    s.owner.delete(`/trials/${s.trial}/participants/${participant}`, { reason: 'asked to be forgotten' })

  test('all of a moved response goes with its participant, whoever it was entered for', async () => {
    const s = await placeholder()
    await s.give(s.anna)
    await s.enter({ pulse: 80 })
    await erase(s, s.anna)
    expect(left(s)).toBe(0)
    expect(verifyResponses(s.db.$client)).toStartWith('0 responses')
  })

  test('a moved response stays whole when the placeholder is deleted', async () => {
    const s = await placeholder()
    await s.give(s.anna)
    await erase(s, s.carl)
    expect((await s.owner.get(`${s.at}/history`)).history).toHaveLength(1)
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
    await s.owner.delete(`/trials/${s.trial}`)
    expect(left(s)).toBe(0)
  })

  test('a deleted response that had been moved goes with its last participant', async () => {
    const s = await placeholder()
    await s.give(s.anna)
    await s.owner.delete(s.at, { reason: 'A test.' })
    await erase(s, s.carl)
    expect(left(s)).toBe(1)
    await erase(s, s.anna)
    expect(left(s)).toBe(0)
    expect(verifyResponses(s.db.$client)).toStartWith('0 responses')
  })

  test('nobody’s response goes with the trial', async () => {
    const s = await detached(await placeholder())
    await erase(s, s.carl)
    expect(left(s)).toBe(1)
    await s.owner.delete(`/trials/${s.trial}`)
    expect(left(s)).toBe(0)
    expect(s.db.$client.query('SELECT _id FROM responseEvents').all()).toEqual([])
  })
})
