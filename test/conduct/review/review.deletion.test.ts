import { describe, expect, test } from 'bun:test'
import { study } from '../../study'
import { lastEntry, reviewStudy } from './review.study'

describe('deleting a response', () => {
  test('removes it; its submissions are kept, and the audit entry has the reason', async () => {
    const s = await reviewStudy()
    await s.owner.do('verifyResponse', s.trial, s.id)
    expect(await s.owner.do('deleteResponse', s.trial, s.id, { reason: 'Entered for the wrong visit.' })).toEqual({})
    expect((await s.owner.call('GET', s.at)).status).toBe(404)
    expect(s.db.$client.query('SELECT response FROM submissions').all()).toEqual([{ response: s.id }])
    expect(s.db.$client.query('SELECT * FROM verifications').all()).toEqual([])
    expect(lastEntry(s)).toMatchObject({
      type: 'deleteResponse',
      event: { responseId: s.id, reason: 'Entered for the wrong visit.', stage: s.stage, stageRecurrence: 0 },
    })
    expect((await s.owner.do('readTrial', s.trial)).responseCount).toBe(0)
    // A new response can be entered for its occurrence.
    const { body } = await s.enter({ pulse: 60 })
    expect(body._id).not.toBe(s.id)
    expect(body.stageRecurrence).toBe(0)
  })

  test('closes its queries, which are no longer shown, and are deleted with the participant', async () => {
    const s = await reviewStudy()
    const raised = await s.owner.do('raiseQuery', s.trial, { response: s.id, text: 'Is this right?' })
    await s.owner.do('deleteResponse', s.trial, s.id, { reason: 'Entered for the wrong visit.' })
    expect(lastEntry(s).event).toMatchObject({ queriesClosed: [raised._id] })
    expect((await s.owner.call('GET', `/queries/${raised._id}`)).status).toBe(404)
    expect((await s.owner.do('listQueries', s.trial)).queries).toEqual([])
    const queriesLeft = () =>
      s.db.$client.query('SELECT status, text FROM queries q JOIN queryMessages ON query = q._id').all()
    expect(queriesLeft()).toEqual([{ status: 'closed', text: 'Is this right?' }])
    await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'asked to be forgotten' })
    expect(queriesLeft()).toEqual([])
    expect(s.db.$client.query('SELECT * FROM queryMessages').all()).toEqual([])
  })

  test('does not free the number of an ad hoc response', async () => {
    const s = await study({ stage: { adHoc: true } })
    const numbers = []
    for (const pulse of [60, 61, 62]) numbers.push((await s.enter({ pulse })).body)
    for (const last of numbers.slice(1)) await s.owner.do('deleteResponse', s.trial, last._id, { reason: 'x' })
    expect((await s.enter({ pulse: 63 })).body.stageRecurrence).toBe(3)
    expect((await s.enter({ pulse: 63 }, {}, s.owner, s.url(s.bert))).body.stageRecurrence).toBe(0)
  })

  test.each([[{}], [{ reason: '' }], [{ reason: '   ' }], [{ reason: null }], [{ reason: 'x'.repeat(2001) }]])(
    'needs a reason: %j',
    async (body) => {
      const { owner, at, id, trial } = await reviewStudy()
      expect((await owner.call('DELETE', at, body)).status).toBe(422)
      await owner.do('readResponse', trial, id)
    },
  )

  test('keeps its submissions until the participant is deleted', async () => {
    const s = await reviewStudy()
    await s.owner.do('deleteResponse', s.trial, s.id, { reason: 'A test.' })
    expect(() => s.db.$client.run('DELETE FROM storedSubmissions')).toThrow('append-only')
    expect(() => s.db.$client.run('DELETE FROM responseEvents')).toThrow('append-only')
    expect(() => s.db.$client.run("UPDATE responseEvents SET type = 'x'")).toThrow('append-only')
    await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'asked to be forgotten' })
    expect(s.db.$client.query('SELECT _id FROM submissions').all()).toEqual([])
    expect(s.db.$client.query('SELECT _id FROM responseEvents').all()).toEqual([])
  })
})
