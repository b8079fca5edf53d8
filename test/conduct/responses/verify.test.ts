import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { verifyChains } from '#audit/verify'
import { verifyResponses } from '#conduct/responses/verify'
import { verifySignatures } from '#conduct/signatures/verify'
import { PASSWORD, sharedInFile, world } from '../../harness'
import { runs } from '../../proof'
import { study } from '../../study'
import { undone } from '../../undone'

/** A study with signatures and an ad hoc stage, and its owner in the web app with a confirmed identity. */
async function busyStudy() {
  const w = world()
  const s = await study({ world: w, stage: { adHoc: true }, trial: { responseSigningEnabled: true } })
  const app = await w.signIn(s.owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  await s.owner.do('updateParticipant', s.trial, s.carl, { isUnallocated: true })
  return { ...s, app }
}

type BusyStudy = Awaited<ReturnType<typeof busyStudy>>

const step = fc.record({
  act: fc.constantFrom(
    'enter',
    'amend',
    'amend',
    'verify',
    'unverify',
    'sign',
    'status',
    'move',
    'detach',
    'delete',
    'widen',
  ),
  who: fc.nat(2),
  which: fc.nat(20),
  pulse: fc.option(fc.integer({ min: 30, max: 220 })),
  symptom: fc.option(fc.constantFrom('cough', 'rash')),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Performs one action in the study, whether or not it is allowed at this point. */
async function perform(s: BusyStudy, { act, who, which, pulse, symptom }: Step, now: number): Promise<void> {
  const { owner, app, trial, db, stage } = s
  const people = [s.anna, s.bert, s.carl]
  const participant = people[who]!
  type Row = { _id: string; participant: string | null; stageRecurrence: number }
  const rows = db.$client.query<Row, []>('SELECT _id, participant, stageRecurrence FROM responses ORDER BY _id').all()
  const row = rows[which % Math.max(rows.length, 1)]
  const at = `/trials/${trial}/responses/${row?._id}` as const
  s.clock(now)
  if (act === 'enter') await s.enter({ pulse, symptom }, {}, owner, s.url(participant))
  if (act === 'widen') {
    const components = which % 2 ? s.components.slice(0, 5 + (which % 10)) : s.components
    await owner.call('PUT', `/stages/${stage}`, { components })
  }
  if (!row) return
  const occurrence = `${stage}::${row.stageRecurrence}`
  if (act === 'amend' && row.participant) {
    await s.enter({ pulse, symptom, sleep: (which % 5) + 1 }, {}, owner, s.url(row.participant, occurrence))
  }
  if (act === 'verify') await owner.call('POST', `${at}/validations`)
  if (act === 'unverify') await owner.call('DELETE', `${at}/dataTypes/${s.ids.pulse}/validations`)
  if (act === 'sign') await app.call('POST', `/trials/${trial}/signatures`, { participant, meaning: 'Reviewed' })
  if (act === 'status') await owner.call('PUT', `${at}/status`, { status: which % 2 ? 'successful' : null })
  if (act === 'move') await owner.call('POST', `${at}/allocations?participant=${participant}`)
  if (act === 'detach') await owner.call('DELETE', `${at}/allocations`)
  if (act === 'delete') await owner.call('DELETE', at, { reason: 'A test.' })
}

test('after any actions, responses match their history (property)', async () => {
  const s = await busyStudy()
  const { $client: sqlite } = s.db
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const [at, each] of steps.entries()) await perform(s, each, at + 1)
      expect(verifyResponses(sqlite)).toMatch(/^\d+ responses follow from \d+ submissions$/)
      expect(verifySignatures(sqlite)).toMatch(/^\d+ signatures/)
      const { signatures } = await s.owner.do('readSignatures', s.trial, s.anna)
      for (const { valid, responses } of signatures) {
        expect(valid).toBe(responses.every((each) => each.valid))
      }
    }),
    { numRuns: runs(50) },
  )
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'asked to be forgotten' })
  expect(verifyResponses(sqlite)).toMatch(/^\d+ responses/)
  expect(verifySignatures(sqlite)).toMatch(/^\d+ signatures/)
  expect(verifyChains(sqlite).filter(({ fault }) => fault)).toEqual([])
}, 180_000)

/** A study with an amended, verified, signed response, and a deleted one. */
async function reviewStudy() {
  const s = await busyStudy()
  const { body } = await s.enter({ pulse: 60, symptom: 'cough' })
  s.clock(1)
  await s.enter({ pulse: 61 }, {}, s.owner, s.url(s.anna, `${s.stage}::0`))
  await s.owner.do('verifyResponse', s.trial, body._id)
  await s.owner.do('setResponseStatus', s.trial, body._id, { status: 'successful' })
  await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
  const gone = (await s.enter({ pulse: 99 })).body._id
  await s.owner.do('deleteResponse', s.trial, gone, { reason: 'A test.' })
  // Triggers do not stop a person who has the database file.
  const triggers = s.db.$client
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
    .all()
  for (const { name } of triggers) s.db.$client.run(`DROP TRIGGER "${name}"`)
  return { ...s, id: body._id as string, gone: gone as string }
}

test('a response whose submission is lost to damage can be read, and verify reports it', async () => {
  const s = await study()
  const { body } = await s.enter({ pulse: 60 })
  s.db.$client.run('DROP TRIGGER storedSubmissionsAreKept')
  s.db.$client.run('DELETE FROM storedSubmissions')
  const { responses } = await s.owner.do('readParticipantResponses', s.trial, s.anna)
  expect(responses).toMatchObject([{ _id: body._id, response: {} }])
  expect(() => verifyResponses(s.db.$client)).toThrow('is missing, though entry')
})

describe('verify finds', () => {
  const shared = sharedInFile(reviewStudy)
  const tampering: [string, string, RegExp][] = [
    ['its newest submission', 'UPDATE storedResponses SET submission = 1', /response \w+: the value of \w+/],
    [
      'the source of a value',
      'UPDATE storedResponses SET sources = 1',
      /response \w+: its values are said to come from/,
    ],
    ['a score', 'UPDATE storedResponses SET score = 5', /response \w+: its score/],
    ['a status', 'UPDATE storedResponses SET status = NULL', /response \w+: its status/],
    ['a time', 'UPDATE storedResponses SET updatedAt = updatedAt + 1', /response \w+: its updatedAt/],
    [
      'a participant',
      `UPDATE storedResponses SET participant = (SELECT key FROM participants WHERE id = 'P-2')`,
      /response \w+: its participant/,
    ],
    ['an occurrence', 'UPDATE storedResponses SET stageRecurrence = 7', /response \w+: its stageRecurrence/],
    ['a deleted response', 'DELETE FROM storedResponses', /response \w+ is missing, though it was not deleted/],
    [
      'a submission’s value',
      `UPDATE storedSubmissions SET "values" = json_set("values", '$[0]', 62) WHERE _id = 2`,
      /submission 2 of response \w+ is not what entry \d+/,
    ],
    [
      'a submission’s author',
      `UPDATE storedSubmissions SET createdBy = 'x' WHERE _id = 1`,
      /submission 1 of response \w+ is not what entry \d+/,
    ],
    [
      'a deleted submission',
      'DELETE FROM storedSubmissions WHERE _id = 2',
      /submission 2 of response \w+ is missing, though entry \d+/,
    ],
    [
      'a submission of a deleted response',
      'DELETE FROM storedSubmissions WHERE _id = 3',
      /submission 3 of response \w+ is missing/,
    ],
    [
      'a submission from nowhere',
      `INSERT INTO storedSubmissions (at, response, stageRecurrence, participant, layout, fields, "values", partialSubmission, createdBy, createdByType)
       SELECT at, response, stageRecurrence, participant, layout, '[]', '[]', partialSubmission, createdBy, createdByType FROM storedSubmissions WHERE _id = 2`,
      /submission 4 of response \w+ has no entry/,
    ],
    [
      'an event',
      `UPDATE responseEvents SET createdBy = 'x' WHERE type = 'verified'`,
      /event \d+ of response \w+ is not what entry \d+/,
    ],
    [
      'a deleted event',
      `DELETE FROM responseEvents WHERE type = 'status'`,
      /event \d+ of response \w+ is missing, though entry \d+/,
    ],
    [
      'an event from nowhere',
      `INSERT INTO responseEvents (at, trial, response, type, createdBy, createdByType, content)
       SELECT at, trial, response, 'status', createdBy, createdByType, '{"after":null}' FROM responseEvents WHERE type = 'status'`,
      /event \d+ \(status\) of response \w+ has no entry/,
    ],
    ['a mark', `UPDATE verifications SET verifiedBy = 'x'`, /response \w+: its verification marks/],
    ['a deleted mark', 'DELETE FROM verifications', /response \w+: its verification marks/],
    ['a layout', `UPDATE layouts SET dataTypes = '[]'`, /layout \w+ was changed/],
    ['a count', 'UPDATE participants SET signedCount = 0', /participant \w+ has other counts/],
  ]

  test.each(tampering)('%s', async (_, sql, says) => {
    const { $client: sqlite } = (await shared()).db
    expect(verifyResponses(sqlite)).toBe('1 responses follow from 3 submissions')
    undone(sqlite, () => {
      expect(sqlite.run(sql).changes).toBeGreaterThan(0)
      expect(() => verifyResponses(sqlite)).toThrow(says)
    })
  })

  const forging: [string, string, RegExp][] = [
    ['a meaning', `UPDATE signatures SET meaning = 'Approved'`, /signature \w+ is not what was signed/],
    ['a signer', `UPDATE signatures SET userName = 'Somebody'`, /signature \w+ is not what was signed/],
    ['a time', 'UPDATE signatures SET createdAt = createdAt + 1', /signature \w+ is not what was signed/],
    ['its responses', `UPDATE signedResponses SET hash = 'x'`, /signature \w+ is not what was signed/],
    [
      'its validity',
      'UPDATE storedResponses SET score = 5',
      /signature \w+ stands for response \w+, which was changed/,
    ],
    ['its hash', `UPDATE signatures SET hash = 'x'`, /signature \w+ is not what was signed/],
    ['its deletion', 'DELETE FROM signatures', /signature \w+ is missing/],
    [
      'its entry in the history',
      `DELETE FROM responseEvents WHERE type = 'signed'`,
      /the history of response \w+ does not know/,
    ],
  ]

  test.each(forging)('of a signature: %s', async (_, sql, says) => {
    const { $client: sqlite } = (await shared()).db
    expect(verifySignatures(sqlite)).toBe('1 signatures are what was signed')
    undone(sqlite, () => {
      sqlite.run(sql)
      expect(() => verifySignatures(sqlite)).toThrow(says)
    })
  })
})
