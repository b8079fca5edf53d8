/** A draft in the log: one entry for its beginning and one for its end, however often it was saved. */
import { expect, test } from 'bun:test'
import { SECOND } from '#kernel/time'
import { type Study, study } from '../../study'
import { consentedStudy } from '../consents/withdrawal.study'

async function savedFiveTimes() {
  const s = await study()
  for (let n = 0; n < 5; n++) {
    expect((await s.owner.call('PUT', `${s.url()}?draft=true`, { response: s.sent({ pulse: 60 + n }) })).status).toBe(
      200,
    )
    s.clock(SECOND)
  }
  return s
}

const entriesIn = async (s: Study) =>
  (await s.owner.do('readLogs', s.trial)).entries
    .filter(({ type }) => /Draft$|^submitResponse$/.test(type))
    .map(({ type, event: { saves, startedAt, stageRecurrence } }) => ({ type, saves, startedAt, stageRecurrence }))
    .reverse()

const begun = { type: 'saveDraft', stageRecurrence: 0 }
const first = '2026-03-02T12:00:00.000000Z'

test('of a draft that was submitted', async () => {
  const s = await savedFiveTimes()
  expect(await entriesIn(s)).toEqual([{ ...begun, saves: undefined, startedAt: undefined }])
  expect((await s.enter({ pulse: 70 })).status).toBe(200)
  const entries = await entriesIn(s)
  expect(entries.map(({ type }) => type).sort()).toEqual(['saveDraft', 'submitDraft', 'submitResponse'])
  expect(entries).toContainEqual({ type: 'submitDraft', saves: 5, startedAt: first, stageRecurrence: 0 })
})

test('of a draft that was discarded, and of the next one', async () => {
  const s = await savedFiveTimes()
  const draft = `/trials/${s.trial}/participants/${s.anna}/draftResponses/${s.stage}` as const
  await s.owner.do('discardDraft', s.trial, s.anna, s.stage)
  expect((await entriesIn(s)).at(-1)).toEqual({ type: 'discardDraft', saves: 5, startedAt: first, stageRecurrence: 0 })
  expect((await s.owner.call('DELETE', draft)).status).toBe(404)
  await s.owner.call('PUT', `${s.url()}?draft=true`, { response: {} })
  await s.owner.do('discardDraft', s.trial, s.anna, s.stage)
  expect((await entriesIn(s)).at(-1)).toMatchObject({ type: 'discardDraft', saves: 1 })
})

test('of a draft that goes on after the consent was withdrawn: each reason once', async () => {
  const s = await consentedStudy()
  const save = (withoutConsentReason?: string) =>
    s.owner.call('PUT', `${s.url()}?draft=true`, { response: s.sent({ pulse: 60 }), withoutConsentReason })
  expect((await save()).status).toBe(200)
  s.clock(SECOND)
  await s.withdraw()
  expect((await save()).status).toBe(403)
  for (const reason of ['A visit that was begun', 'A visit that was begun', 'Safety', 'A visit that was begun']) {
    expect((await save(reason)).status).toBe(200)
    s.clock(SECOND)
  }
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'saveDraft' })
  const reasons = entries.map(({ event }) => (event.withoutConsent as { reason: string } | undefined)?.reason)
  expect(reasons.reverse()).toEqual([undefined, 'A visit that was begun', 'Safety'])
})

test('a submission without a draft has its own entry only', async () => {
  const s = await study()
  await s.enter({ pulse: 70 })
  expect((await entriesIn(s)).map(({ type }) => type)).toEqual(['submitResponse'])
})
