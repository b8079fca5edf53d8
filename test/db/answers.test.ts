/** What a person who opens the database with an SQLite browser can read. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { study } from '../study'

test('the view `answers` has a row for each answered field, as it is now, with who entered it and when', async () => {
  const s = await study()
  const { code } = await s.owner.do('readTrial', s.trial)
  const anna = await s.signIn('P-1')
  const answers = { pulse: 60, effects: ['Nausea', 'Fever'], diary: 'Slept well.', symptom: 'cough' }
  const form = `/participants/trials/${s.trial}/stages/${s.stage}/responses`
  const first = await anna.call('POST', form, s.sent(answers))
  expect(first.status).toBe(200)
  s.clock(90_061_500_000)
  expect((await s.enter({ ...answers, pulse: 61, symptom: null })).status).toBe(200)
  expect((await s.enter({ body: { height: 180, weight: 81 } }, {}, s.owner, s.url(s.bert))).status).toBe(200)

  const file = new Database(join(s.directory, 'trialbox.db'), { readonly: true })
  file.run('PRAGMA trusted_schema = OFF')
  const rows = file.query<Record<string, unknown>, []>('SELECT * FROM answers ORDER BY participant, dataTypeCode').all()
  file.close()
  const [then, now] = ['2026-03-02T12:00:00.000Z', '2026-03-03T13:01:01.500Z']
  const row = (participant: string, dataTypeCode: string, value: string, createdAt: string, createdBy: string) => ({
    ...{ trialCode: code, trialName: 'Breath study', participant, stage: 'Visit', stageRecurrence: 0 },
    ...{ dataTypeCode, dataTypeName: expect.any(String), value, createdAt, createdBy, response: expect.any(String) },
  })
  expect(rows).toEqual([
    row('P-1', 'diary', 'Slept well.', then!, 'P-1'),
    row('P-1', 'double', '122', now!, 'owner@example.org'),
    row('P-1', 'effects', '["Nausea","Fever"]', then!, 'P-1'),
    row('P-1', 'pulse', '61', now!, 'owner@example.org'),
    row('P-2', 'body', '{"height":180,"weight":81,"bmi":25}', now!, 'owner@example.org'),
  ])
  expect(new Set(rows.slice(0, 4).map(({ response }) => response))).toEqual(new Set([first.body._id]))
})
