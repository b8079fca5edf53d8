/** What wearables measured is kept as it was, found by index, and checked by `verify`. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import * as reminders from '#conduct/wearables/reminderStore'
import * as store from '#conduct/wearables/store'
import { newId } from '#kernel/id'
import { collectStatements, explained, scans } from '../../plan'
import { clarity, importing } from './imports/files'
import { fitbitServer } from './providers'
import { wearableStudy } from './wearables.study'

/** A study with two corrected readings of glucose of a participant. */
async function correctedReadingsStudy() {
  const s = await importing()
  for (const value of ['100', '101', '102']) await s.bring('dexcom', clarity([['2026-02-01T10:00:00', value]]), 'a.csv')
  return s
}

describe('the database refuses', () => {
  test.each([
    ['another value without history', `measured = '{"readings":[]}'`],
    ['another value of a reading in place of its history', `replaced = '[]'`],
    ['another history', `replaced = replace(replaced, '100', '99')`],
    ['another day', `day = '2026-02-02'`],
    ['another participant', `participant = 'x'`],
  ])('%s', async (_, set) => {
    const { db } = await correctedReadingsStudy()
    expect(() => db.$client.run(`UPDATE hardwareRecords SET ${set}`)).toThrow('records of wearables are corrected')
  })

  test('a deletion while the participant is there', async () => {
    const { db } = await correctedReadingsStudy()
    expect(() => db.$client.run('DELETE FROM hardwareRecords')).toThrow('records of wearables are corrected')
  })
})

test('verify accepts what is stored, and finds a value that was changed behind its back', async () => {
  const s = await correctedReadingsStudy()
  s.service.flush()
  expect(problemsIn(s.db.$client)).toEqual([])
  const other = new Database(join(s.directory, 'trialbox.db'))
  const { sql } = other
    .query<{ sql: string }, []>(`SELECT sql FROM sqlite_schema WHERE name = 'hardwareRecordsAreNotChanged'`)
    .get()!
  other.run('DROP TRIGGER hardwareRecordsAreNotChanged')
  other.run(`UPDATE hardwareRecords SET measured = replace(measured, '102', '99')`)
  other.run(sql)
  other.close()
  expect(problemsIn(s.db.$client)).toEqual([expect.stringMatching(/hardwareRecords is not what entry/)])
})

test('records go with their participant, and with their trial', async () => {
  const s = await correctedReadingsStudy()
  const count = () => s.db.$client.query('SELECT count(*) AS n FROM hardwareRecords').get()
  expect((await s.owner.call('DELETE', s.about, { reason: 'registered twice' })).status).toBe(200)
  expect(count()).toEqual({ n: 0 })
  const storedName = await s.upload(clarity([['2026-02-01T10:00:00', '1']]), 'a.csv', s.owner, s.bert)
  await s.owner.do('importHardwareData', s.trial, s.bert, { service: 'dexcom', storedName })
  await s.owner.do('deleteTrial', s.trial)
  expect(count()).toEqual({ n: 0 })
})

test('a list is read page by page, each record once', async () => {
  const s = await importing()
  const days = Array.from({ length: 25 }, (_, n) => [`2026-01-${`${n + 1}`.padStart(2, '0')}T10:00:00`, '100'] as const)
  await s.bring('dexcom', clarity(days), 'a.csv')
  const dates: string[] = []
  for (let after = ''; ; ) {
    const page = await s.owner.get<'readHardwareResponses'>(
      `${s.about}/hardwareResponses?limit=10${after && `&after=${after}`}` as const,
    )
    dates.push(...page.hardwareResponses.map(({ date }) => date))
    if (page.next === null) break
    after = page.next
  }
  expect(dates).toEqual(days.map(([time]) => time.slice(0, 10)))
  expect((await s.owner.call('GET', `${s.about}/hardwareResponses?after=x`)).status).toBe(422)
})

test('records of a participant whom the reader may not see are not there', async () => {
  const s = await correctedReadingsStudy()
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
  const local = s.staff(s.trial, ['site.readParticipantStudyData', 'site.readParticipants'], site)
  expect((await local.call('GET', `${s.about}/hardwareResponses`)).status).toBe(404)
  await s.owner.do('addSiteMember', site, s.anna)
  expect((await local.do('readHardwareResponses', s.trial, s.anna)).hardwareResponses).toHaveLength(1)
  const other = s.neighbours()
  expect((await other.owner.call('GET', `${s.about}/hardwareResponses`)).status).toBe(404)
})

test('the report on the person has every value, and no token', async () => {
  const fitbit = fitbitServer()
  fitbit.data.steps['2026-03-08'] = 6000
  const s = await wearableStudy({ fitbit })
  await s.connect('fitbit')
  await s.synced('fitbit')
  const { reportOf } = await import('#exchange/personalData/report')
  const report = JSON.stringify(reportOf(s.db, { trial: s.trial, participant: s.anna, at: 0, file: 'x' }).content)
  expect(report).toContain('"steps":6000')
  const sealed = `${s.row('fitbit')!.tokens}`
  expect([sealed.length > 50, report.includes(sealed)]).toEqual([true, false])
})

test('no statement about wearables scans a table or sorts one', async () => {
  const { db, trial, anna } = await correctedReadingsStudy()
  const collector = collectStatements(db.$client)
  store.recordsOf(db, anna, { limit: 10 })
  store.recordsOf(db, anna, { dataset: 'egv', limit: 10, after: { dataset: 'egv', day: '2026-01-01', _id: newId(0) } })
  store.recordByKey(db, { participant: anna, service: 'dexcom', dataset: 'egv', key: '2026-02-01' })
  store.connectionsOf(db, anna)
  store.connectionOf(db, anna, 'fitbit')
  store.dueConnections(db, 5, 10)
  store.signInOf(db, anna, 'fitbit')
  reminders.dueReminders(db, 5, 10)
  reminders.participantsWithoutReminder(db, trial, 'fitbit', 10)
  const statements = collector.end()
  expect(statements.length).toBeGreaterThan(7)
  const sorts = (sql: string) => explained(db.$client, sql).some(({ detail }) => detail.includes('TEMP B-TREE'))
  expect(statements.flatMap((sql) => scans(db.$client, sql).map((scan) => [scan, sql]))).toEqual([])
  expect(statements.filter(sorts)).toEqual([])
})
