import { describe, expect, test } from 'bun:test'
import { MINUTE } from '#kernel/time'
import { signatureStudy } from './signatures.study'

describe('a signature is refused', () => {
  test('an API key and a stale session: 403 reauth', async () => {
    const s = await signatureStudy()
    const body = { participant: s.anna, meaning: 'Reviewed' }
    const refused = async (who: typeof s.app | typeof s.owner) => {
      const answer = await who.call('POST', s.url, body)
      return [answer.status, answer.body.details?.code]
    }
    expect(await refused(s.owner)).toEqual([403, 'reauth'])
    s.clock(5 * MINUTE)
    expect(await refused(s.app)).toEqual([403, 'reauth'])
    expect(await s.signatures()).toEqual([])
  })

  test('a meaning that is not among the trial’s; signing that is off; nothing to sign: 400', async () => {
    const s = await signatureStudy({ signatureMeanings: ['Reviewed', 'Approved'] })
    const status = async (body: object) => (await s.app.call('POST', s.url, { participant: s.anna, ...body })).status
    expect(await status({ meaning: 'Seen' })).toBe(400)
    expect(await status({ meaning: 'Approved' })).toBe(200)
    expect(await status({ meaning: 'Approved', participant: s.bert })).toBe(400)
    expect(await status({})).toBe(422)
    expect(await status({ meaning: 'Approved', responses: [] })).toBe(422)
    await s.owner.do('updateTrial', s.trial, { responseSigningEnabled: false })
    expect(await status({ meaning: 'Approved' })).toBe(400)
  })

  test('somebody else’s response, an unknown participant, another team: 404', async () => {
    const s = await signatureStudy()
    const meaning = 'Reviewed'
    const status = async (body: object) => (await s.app.call('POST', s.url, { meaning, ...body })).status
    expect(await status({ participant: s.bert, responses: [s.first] })).toBe(404)
    expect(await status({ participant: '0'.repeat(24) })).toBe(404)
    const stranger = s.neighbours().owner
    expect((await stranger.call('POST', s.url, { meaning, participant: s.anna })).status).toBe(404)
    expect((await stranger.call('GET', `${s.url}/casebooks`)).status).toBe(404)
  })

  test('a reader, and a writer who does not see all answers that are signed: 403', async () => {
    const s = await signatureStudy()
    const body = { participant: s.anna, meaning: 'Reviewed' }
    const reader = await s.confirmed(s.staff(s.trial, ['trial.read']))
    const writer = await s.confirmed(s.staff(s.trial, ['trial.write', 'trial.signStudyData']))
    expect((await reader.call('POST', s.url, body)).body.details.needs).toEqual([
      'trial.signStudyData',
      'trial.writeParticipantStudyData',
    ])
    await s.owner.do('updateDataType', s.ids.smoker, { isRestricted: true })
    expect((await writer.call('POST', s.url, body)).status).toBe(403)
    expect((await writer.call('POST', s.url, { ...body, responses: [s.second] })).status).toBe(200)
  })
})
