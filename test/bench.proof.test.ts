/** The benchmark measures what it says: its stored responses are those of a study, and it counts every page of the write-ahead log. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '#db/open'
import { pagesByTable, walPages } from '../scripts/bench/accounting'
import { comparison, verdict } from '../scripts/bench/figures'
import { makeDirectory, type SeededDirectory } from '../scripts/bench/seed'
import { fillStored } from '../scripts/bench/stored'
import { shuffled } from '../scripts/bench/work'
import { problemsIn } from '../src/cli/checks'
import { temporaryFolder } from './temporary'

test('`trialbox verify` accepts the responses that the benchmark stores', async () => {
  const folder = temporaryFolder()
  await makeDirectory(folder, (service) => fillStored(service, { people: 12, days: 3, occurrences: 5 }))
  const { trials }: SeededDirectory = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8'))
  expect(trials[0]!.people).toHaveLength(12)
  const sqlite = openSqlite(join(folder, 'data/trialbox.db'), { readonly: true })
  expect(problemsIn(sqlite)).toEqual([])
  const counts = sqlite.query<{ responses: number; entries: number }, [string]>(
    `SELECT (SELECT count(*) FROM responses) AS responses,
      (SELECT count(*) FROM auditEntries WHERE chain = ? AND type = 'submitResponse') AS entries`,
  )
  expect(counts.get(trials[0]!.trial)).toEqual({ responses: 36, entries: 36 })
  sqlite.close()
})

test('pages of the write-ahead log are counted exactly, across checkpoints', async () => {
  const path = join(temporaryFolder(), 'some.db')
  const sqlite = new Database(path)
  sqlite.run('PRAGMA journal_mode = WAL')
  sqlite.run('PRAGMA synchronous = OFF')
  sqlite.run('PRAGMA wal_autocheckpoint = 10')
  sqlite.run('CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT)')
  sqlite.run(`INSERT INTO numbers VALUES (1, '')`)
  const change = sqlite.query('UPDATE numbers SET text = ? WHERE number = 1')
  let last = 0
  const changing = (times: number) => async () => {
    for (let at = 0; at < times; at++) change.run(`${++last}`)
  }
  // Each change writes the one page of the table.
  for (const times of [0, 1, 35]) {
    const pages = await walPages(path, changing(times))
    expect(pagesByTable(path, pages)).toEqual(times ? [['numbers', times]] : [])
  }
  sqlite.close()
})

test.each([
  [0.76, { least: 0.75 }, '≥ 0.75, met'],
  [0.74, { least: 0.75 }, '≥ 0.75, missed'],
  [20, { most: 20 }, '≤ 20, met'],
  [20.1, { most: 20 }, '≤ 20, missed'],
  [Number.NaN, { most: 20 }, ''],
])('%p with the aim %p: %p', (value, bound, text) => {
  expect(verdict(value, bound)).toBe(text)
})

test('a row has the median of the ratios of the rounds, and the aim of the ratio or of our figure', () => {
  const measured = [
    [100, 200, 400],
    [50, 160, 100],
  ] as const
  expect(comparison('rate', '/s', ...measured, { ratio: { least: 0.75 } })).toEqual([
    ...['rate', '200/s (100–400)', '100/s (50.0–160)', '× 0.50', '× ≥ 0.75, missed'],
  ])
  expect(comparison('wait', ' ms', [], [12], { value: { most: 15 } })).toEqual([
    ...['wait', '–', '12.0 ms', '', '≤ 15 ms, met'],
  ])
  const both = { ratio: { most: 1.2 }, value: { most: 0.5 } }
  expect(comparison('page', ' ms', [0.2], [0.3], both)).toEqual([
    ...['page', '0.200 ms', '0.300 ms', '× 1.50', '× ≤ 1.2, missed; ≤ 0.5 ms, met'],
  ])
})

test('an order at random has everybody once, and is the same for the same seed', () => {
  const list = Array.from({ length: 100 }, (_, at) => at)
  const order = shuffled(list, 1)
  expect(order).not.toEqual(list)
  expect([...order].sort((a, b) => a - b)).toEqual(list)
  expect(shuffled(list, 1)).toEqual(order)
  expect(shuffled(list, 2)).not.toEqual(order)
})
