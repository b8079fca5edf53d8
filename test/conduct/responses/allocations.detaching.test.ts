import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { files } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { study } from '../../study'
import { detachResponse, type PlaceholderStudy, placeholderStudy } from './allocations.study'

describe('detaching', () => {
  test('makes an allocated response nobody’s, to be allocated again', async () => {
    const s = await placeholderStudy()
    await s.give(s.bert)
    const { status, body } = await s.take(s.bert)
    expect(status).toBe(200)
    expect(body).toMatchObject({ participant: null, participantId: null })
    expect(s.counts()).toEqual([])
    expect((await s.owner.do('readResponse', s.trial, s.id)).responses[0]).toMatchObject({ participant: null })
    expect((await s.give(s.anna)).body.participant).toBe(s.anna)
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
  })

  test('is refused for a response of nobody’s, or of somebody else', async () => {
    const s = await placeholderStudy()
    await s.give(s.bert)
    expect((await s.take(s.anna)).status).toBe(400)
    expect((await s.take(s.bert)).status).toBe(200)
    expect((await s.take()).status).toBe(400)
  })

  test('works for a response that was entered for its participant, and undoes what it completed', async () => {
    const s = await study()
    const { owner, trial, anna, bert, stage } = s
    const { _id } = (await s.enter({ pulse: 72 })).body
    const progress = async (of: string) => (await owner.do('readParticipant', trial, of)).progress
    const done = await progress(anna)
    const at = `/trials/${trial}/responses/${_id}` as const
    const admin = s.staff(trial, ['trial.write'])
    expect((await admin.call('DELETE', `${at}/allocations`)).status).toBe(403)
    const { status, body } = await owner.call('DELETE', `${at}/allocations`)
    expect([status, body.participant]).toEqual([200, null])
    expect(await progress(anna)).toEqual(await progress(bert))
    expect(await progress(anna)).not.toEqual(done)
    expect((await owner.do('readResponseHistory', trial, _id)).events).toMatchObject([
      { type: 'moved', createdBy: owner._id, from: { participant: anna }, to: { participant: null } },
    ])
    // A new response can be entered for the occurrence; then the old one cannot go back there.
    expect((await s.enter({ pulse: 80 })).body._id).not.toBe(_id)
    expect((await owner.call('POST', `${at}/allocations?participant=${anna}`)).status).toBe(400)
    expect((await owner.call('POST', `${at}/allocations?participant=${bert}`)).body.participant).toBe(bert)
    expect((await owner.do('readStageResponses', trial, stage)).responses).toHaveLength(2)
    expect(verifyResponses(s.db.$client)).toStartWith('2 responses follow from')
  })

  test('shows nobody’s response to those who see all participants only', async () => {
    const s = await detachResponse(await placeholderStudy())
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    expect((await s.staff(s.trial, ['site.admin'], site).call('GET', s.at)).status).toBe(404)
    expect((await s.staff(s.trial, ['trial.read']).call('GET', s.at)).status).toBe(200)
  })
})

describe('what goes with whom', () => {
  test('the files of a response go where it goes', async () => {
    const s = await placeholderStudy()
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

  const left = (s: PlaceholderStudy) => s.db.$client.query('SELECT response FROM submissions').all().length
  const erase = (s: PlaceholderStudy, participant: string) =>
    s.owner.do('deleteParticipant', s.trial, participant, { reason: 'asked to be forgotten' })

  test('all of a moved response goes with its participant, whoever it was entered for', async () => {
    const s = await placeholderStudy()
    await s.give(s.anna)
    await s.enter({ pulse: 80 })
    await erase(s, s.anna)
    expect(left(s)).toBe(0)
    expect(verifyResponses(s.db.$client)).toStartWith('0 responses')
  })

  test('a moved response stays whole when the placeholder is deleted', async () => {
    const s = await placeholderStudy()
    await s.give(s.anna)
    await erase(s, s.carl)
    expect((await s.owner.do('readResponseHistory', s.trial, s.id)).history).toHaveLength(1)
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
    await s.owner.do('deleteTrial', s.trial)
    expect(left(s)).toBe(0)
  })

  test('a deleted response that had been moved goes with its last participant', async () => {
    const s = await placeholderStudy()
    await s.give(s.anna)
    await s.owner.do('deleteResponse', s.trial, s.id, { reason: 'A test.' })
    await erase(s, s.carl)
    expect(left(s)).toBe(1)
    await erase(s, s.anna)
    expect(left(s)).toBe(0)
    expect(verifyResponses(s.db.$client)).toStartWith('0 responses')
  })

  test('nobody’s response goes with the trial', async () => {
    const s = await detachResponse(await placeholderStudy())
    await erase(s, s.carl)
    expect(left(s)).toBe(1)
    await s.owner.do('deleteTrial', s.trial)
    expect(left(s)).toBe(0)
    expect(s.db.$client.query('SELECT _id FROM responseEvents').all()).toEqual([])
  })
})
