/** The trail of reads is searched by participant with indexes: the cost does not grow with its rows. */
import { expect, test } from 'bun:test'
import { packIds } from '#audit/packedIds'
import { appendReads } from '#audit/reads'
import { rowsWhere } from '#db/rows'
import { participants, readBlocks, readMentions } from '#db/tables/index'
import { newId } from '#kernel/id'
import { DAY, MINUTE, parseInstant } from '#kernel/time'
import { collectStatements, explained, scans } from './plan'
import { present } from './present'
import { type Study, study } from './study'

/** Reads the list of participants every 15 minutes. */
async function list(s: Study, times: number, by = s.owner): Promise<void> {
  for (let n = 0; n < times; n++) {
    await by.do('listParticipants', s.trial)
    s.clock(15 * MINUTE)
  }
  await s.service.services.reads.flush()
}

const numbersOf = async (s: Study, query: string) => {
  const { reads } = await s.owner.get<'listReads'>(
    `/trials/${s.trial}/reads?operation=listParticipants&${query}` as `/trials/${string}/reads`,
  )
  return reads.map(({ number }) => number)
}

test('a search by participant finds rows of full blocks and of the open one, newest first, page by page', async () => {
  const s = await study()
  await list(s, 20)
  s.clock(DAY)
  await list(s, 20)
  s.clock(DAY)
  await list(s, 3)
  expect(rowsWhere(s.db, readBlocks, { trial: s.trial })).toHaveLength(2)
  expect(rowsWhere(s.db, readMentions, { trial: s.trial }).map(({ block }) => block)).toContain(2)
  const all = Array.from({ length: 43 }, (_, at) => 43 - at)
  for (const participant of [s.anna, s.bert, s.carl]) {
    expect(await numbersOf(s, `participant=${participant}`)).toEqual(all.slice(0, 30))
    expect(await numbersOf(s, `participant=${participant}&page=2`)).toEqual(all.slice(30))
  }
  const stranger = s.staff(s.trial, ['trial.readParticipants'])
  expect(await numbersOf(s, `participant=${s.anna}&user=${stranger._id}`)).toEqual([])
  expect(await numbersOf(s, `participant=${newId(1)}`)).toEqual([])
  // Whose `_id` ends as hers does is not named with her.
  const other = `${newId(1).slice(0, -2)}${s.anna.slice(-2)}`
  expect(await numbersOf(s, `participant=${other}`)).toEqual([])
})

test('one who was registered later is not in what filters found before', async () => {
  const s = await study()
  const exported = async () => {
    await s.owner.do('listParticipants', s.trial, { format: 'csv' })
    await s.service.services.reads.flush()
    s.clock(2 * DAY)
  }
  for (let n = 0; n < 3; n++) await exported()
  const _id = newId(1)
  const createdAt = present(parseInstant(s.now()))
  s.db.insert(participants).values({ _id, createdAt, trial: s.trial, id: 'P-99', idSort: 'p-99' }).run()
  await exported()
  expect(await numbersOf(s, `participant=${s.anna}`)).toEqual([4, 3, 2, 1])
  expect(await numbersOf(s, `participant=${_id}`)).toHaveLength(1)
})

test('no statement of a search by participant scans a table, and rows that name several are found by block', async () => {
  const s = await study()
  await list(s, 2)
  s.clock(DAY)
  await list(s, 1)
  const { $client: sqlite } = s.db
  const collector = collectStatements(sqlite)
  await numbersOf(s, `participant=${s.anna}`)
  await numbersOf(s, `participant=${s.anna}&from=2026-03-01&to=2026-03-09&user=${s.owner._id}`)
  const statements = [...new Set(collector.end())].filter((sql) => /\breads\b|readMentions/.test(sql))
  expect(statements.flatMap((sql) => scans(sqlite, sql))).toEqual([])
  const plans = statements.map((sql) =>
    explained(sqlite, sql)
      .map(({ detail }) => detail)
      .join('\n'),
  )
  const has = (what: string) => plans.some((plan) => plan.includes(what))
  expect(has('SEARCH m USING INDEX sqlite_autoindex_readMentions_1 (trial=? AND block=? AND ending=?)')).toBe(true)
  expect(has('sqlite_autoindex_reads_1 (trial=? AND number=?)')).toBe(true)
  expect(has('readsByParticipant (trial=? AND participant=?')).toBe(true)
  expect(has('readsOfFilters (trial=? AND number>')).toBe(true)
  expect(has('readsByUser')).toBe(false)
})

test('a row in which the bytes of an id lie across two others does not name it', async () => {
  const s = await study()
  const before = '0'.repeat(12) + s.anna.slice(0, 12)
  const after = s.anna.slice(12) + 'f'.repeat(12)
  for (const _id of [before, after])
    s.db.insert(participants).values({ _id, createdAt: 1, trial: s.trial, id: _id, idSort: _id }).run()
  const read = {
    trial: s.trial,
    operation: 'listParticipants',
    user: null,
    userEmail: null,
    apiToken: null,
    address: null,
  }
  const at = (createdAt: number, ids: string[]) => ({ ...read, createdAt, about: { participants: packIds(ids) } })
  appendReads(s.db, [
    at(1, [before, after]),
    at(2, [before, after, s.anna]),
    at(DAY + 1, [before, after]),
    at(DAY + 2, [before, after, s.anna]),
  ])
  expect(await numbersOf(s, `participant=${s.anna}`)).toEqual([4, 2])
  expect(await numbersOf(s, `participant=${after}`)).toEqual([4, 3, 2, 1])
})
