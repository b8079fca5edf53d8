/** The dashboard and kept insights are read by indexes, from figures that do not grow with the number of participants. */
import { expect, test } from 'bun:test'
import { queriedDataTypes, queryFiguresOf, WHOLE_TRIAL } from '#office/dashboard/store'
import { siteStudy } from './office/site.study'
import { collectStatements, scans } from './plan'

async function queried() {
  const s = await siteStudy()
  const fields = ['pulse', 'glucose', 'pain', 'girth'].flatMap((code) => s.ids[code] ?? [])
  const { body } = await s.enter({ pulse: 60 })
  const raise = (dataType: string | null) =>
    s.owner.do('raiseQuery', s.trial, { response: body._id, text: 'Why?', dataType })
  for (const dataType of [...fields, null]) await raise(dataType)
  return { ...s, fields, raise }
}

test('no statement of the dashboard, of insights and of central monitoring scans a table', async () => {
  const s = await queried()
  await s.owner.do('updateDataType', s.fields[0], { isRestricted: true })
  const collector = collectStatements(s.db.$client)
  for (const part of ['dashboard', 'insights', 'central-monitoring'])
    for (const reader of [s.owner, s.staff(s.trial, ['trial.read']), s.atSouth('site.read')])
      await reader.call('GET', `/trials/${s.trial}/${part}`)
  const statements = collector.end().filter((sql) => sql.trimStart().startsWith('SELECT') || /^\s*WITH/.test(sql))
  expect(statements.filter((sql) => sql.includes('queryFigures'))).toHaveLength(2)
  // `each` are the rows that a recursive statement has found itself.
  const found = statements.flatMap((sql) => scans(s.db.$client, sql).map((scan) => [scan, sql]))
  expect(found.filter(([scan]) => scan !== 'SCAN each')).toEqual([])
})

test('the figures of queries that a reader needs grow neither with the queries nor with the fields', async () => {
  const s = await queried()
  const rows = () =>
    s.db.$client
      .query<{ rows: number }, [string]>(
        `SELECT count(*) AS rows FROM queryFigures WHERE trial = ? AND site = '' AND dataType = '*'`,
      )
      .get(s.trial)?.rows
  for (let n = 0; n < 20; n++) await s.raise(s.fields[n % 4] ?? null)
  expect(rows()).toBe(1) // all were raised on the same day, and are open
  const figures = (hidden: readonly string[]) =>
    queryFiguresOf(s.db, s.trial, [WHOLE_TRIAL], hidden).map(({ status, queries }) => [status, queries])
  expect(queriedDataTypes(s.db, s.trial)).toEqual(s.fields.toSorted())
  expect(figures([])).toEqual([['open', 25]])
  expect(figures(s.fields.slice(0, 2))).toEqual([['open', 13]])
  expect(figures(s.fields)).toEqual([['open', 1]])
})
