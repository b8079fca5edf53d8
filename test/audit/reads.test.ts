/** The trail of reads: what it keeps for how long, and that nobody changes it without being noticed. */
import { expect, test } from 'bun:test'
import { packIds, unpackIds } from '#audit/packedIds'
import { removeReads } from '#audit/reads'
import { verifyChains } from '#audit/verify'
import { verifyReads } from '#audit/verifyReads'
import { verifyRows } from '#audit/verifyRows'
import { rowsWhere } from '#db/rows'
import { readBlocks, readHeads, readMentions, reads } from '#db/tables/index'
import { DAY, MINUTE, parseInstant } from '#kernel/time'
import { expiredReads } from '#server/background/removal'
import { afterKill } from '../harness'
import { collectStatements, scans } from '../plan'
import { firstOf, present } from '../present'
import { type Study, study } from '../study'

const YEAR = 366 * DAY

/** Reads notes of each participant on several days, so that there are several blocks. */
async function readOnDays(s: Study, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    for (const participant of [s.anna, s.bert, s.carl]) await s.owner.do('listNotes', s.trial, participant)
    await s.service.services.reads.flush()
    s.clock(DAY)
  }
}

/** Runs statements as a program does that drops the triggers first. */
function outside({ db }: Study, ...statements: string[]): void {
  const names = db.$client
    .query<{ name: string; sql: string }, []>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name LIKE 'read%'`,
    )
    .all()
  for (const { name } of names) db.$client.run(`DROP TRIGGER ${name}`)
  for (const sql of statements) db.$client.run(sql)
  for (const { sql } of names) db.$client.run(sql)
}

test('rows are only added, and the trail fits', async () => {
  const s = await study()
  await readOnDays(s, 3)
  expect(verifyReads(s.db.$client)).toBe('9 reads of 1 trials fit')
  expect(rowsWhere(s.db, readBlocks, { trial: s.trial })).toHaveLength(2)
  const refused = [
    `UPDATE reads SET user = NULL`,
    `DELETE FROM reads WHERE number = 1`,
    `UPDATE readBlocks SET hash = ''`,
    `UPDATE readBlocks SET removedAt = 1`,
    `DELETE FROM readBlocks`,
    `UPDATE readHeads SET rowCount = 1`,
    `DELETE FROM readHeads`,
  ]
  for (const sql of refused) expect(() => s.db.$client.run(sql)).toThrow('append-only')
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

const changes: readonly [what: string, sql: string, problem: RegExp][] = [
  [
    'a row of a full block that was changed',
    `UPDATE reads SET user = 'x' WHERE number = 2`,
    /block 1 .*: a row was changed/,
  ],
  ['a row that was removed', `DELETE FROM reads WHERE number = 2`, /read 2 of trial .* is missing/],
  ['the last row that was removed', `DELETE FROM reads WHERE number = 9`, /read 9 of trial .* is missing/],
  ['a row of the open block that was changed', `UPDATE reads SET createdAt = 5 WHERE number = 8`, /a row was changed/],
  [
    'a row that was put in',
    `INSERT INTO reads SELECT NULL, trial, 10, block, createdAt, operation, user, userEmail, apiToken, address, participant, participants, isFilter, filter FROM reads WHERE number = 9`,
    /has reads after the last one/,
  ],
  [
    'a row before the first one that was put in',
    `INSERT INTO reads SELECT NULL, trial, 0, block, createdAt, operation, user, userEmail, apiToken, address, participant, participants, isFilter, filter FROM reads WHERE number = 9`,
    /does not have the reads that were recorded/,
  ],
  ['a block that is missing', `DELETE FROM readBlocks WHERE number = 1`, /block 1 of the reads .* is missing/],
  ['an end that is missing', `DELETE FROM readHeads`, /the end of the reads .* is missing/],
  [
    'rows that were removed before their time',
    `UPDATE readBlocks SET removedAt = endedAt + 1 WHERE number = 1; DELETE FROM reads WHERE block = 1`,
    /before its time/,
  ],
  [
    'rows that were removed without an entry',
    `UPDATE readBlocks SET removedAt = endedAt + ${YEAR} WHERE number = 1; DELETE FROM reads WHERE block = 1`,
    /the audit trail has no entry for that/,
  ],
  [
    'rows of a removed block that are there',
    `UPDATE readBlocks SET removedAt = endedAt + ${YEAR} WHERE number = 1`,
    /some of its rows still exist/,
  ],
]

test.each(changes)('verify notices %s', async (_, sql, problem) => {
  const s = await study()
  await readOnDays(s, 3)
  outside(s, sql)
  expect(() => verifyReads(s.db.$client)).toThrow(problem)
})

/** Reads the list of all participants on several days. */
async function listOnDays(s: Study, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    await s.owner.do('listParticipants', s.trial)
    await s.service.services.reads.flush()
    s.clock(DAY)
  }
}

const mentionChanges: readonly [what: string, sql: string, problem: RegExp][] = [
  [
    'was changed',
    `UPDATE readMentions SET places = x'00000000' WHERE block = 1`,
    /block 1 .*: the index of its participants/,
  ],
  ['is missing', `DELETE FROM readMentions WHERE block = 2`, /block 2 .*: the index of its participants/],
  [
    'names more',
    `INSERT INTO readMentions SELECT trial, 1, 256, places FROM readMentions WHERE block = 2 LIMIT 1`,
    /block 1 .*: the index/,
  ],
  ['is of the open block', `UPDATE readMentions SET block = 3 WHERE block = 2`, /the index of its participants/],
  [
    'is of the open block, too',
    `INSERT INTO readMentions SELECT trial, 3, ending, places FROM readMentions WHERE block = 2`,
    /is not of a full block/,
  ],
]

test.each(mentionChanges)('verify notices an index of participants that %s', async (_, sql, problem) => {
  const s = await study()
  await listOnDays(s, 3)
  for (const refused of ['UPDATE readMentions SET block = 9', 'DELETE FROM readMentions'])
    expect(() => s.db.$client.run(refused)).toThrow('append-only')
  expect(verifyReads(s.db.$client)).toBe('3 reads of 1 trials fit')
  outside(s, sql)
  expect(() => verifyReads(s.db.$client)).toThrow(problem)
})

test('the index of participants is removed with its block, and with its trial', async () => {
  const s = await study()
  await s.owner.do('updateTrial', s.trial, { readsKept: 1 })
  await listOnDays(s, 3)
  const blocks = () => [...new Set(rowsWhere(s.db, readMentions, { trial: s.trial }).map(({ block }) => block))]
  expect(blocks()).toEqual([1, 2])
  s.clock(YEAR - 3 * DAY)
  await s.service.services.tick()
  expect(blocks()).toEqual([2])
  expect(verifyReads(s.db.$client)).toBe('2 reads of 1 trials fit')
  outside(s, `INSERT INTO readMentions SELECT trial, 1, ending, places FROM readMentions`)
  expect(() => verifyReads(s.db.$client)).toThrow('was removed, but the index of its participants still exists')
  const admin = await s.signInStaff(s.owner)
  expect((await admin.call('DELETE', `/trials/${s.trial}`)).status).toBe(200)
  s.clock(31 * DAY)
  await s.service.services.tick()
  expect(blocks()).toEqual([])
})

test('blocks are removed after the years that the trial says, and the rest still fits', async () => {
  const s = await study()
  await s.owner.do('updateTrial', s.trial, { readsKept: 1 })
  await readOnDays(s, 2)
  s.clock(YEAR - 2 * DAY)
  await s.service.services.tick()
  const kept = () => rowsWhere(s.db, reads, { trial: s.trial }).map(({ number }) => number)
  expect(kept()).toEqual([4, 5, 6])
  expect(verifyReads(s.db.$client)).toBe('3 reads of 1 trials fit')
  s.clock(2 * DAY)
  await s.service.services.tick()
  expect(kept()).toEqual([])
  expect(verifyReads(s.db.$client)).toBe('0 reads of 1 trials fit')
  const { entries } = await s.owner.do('readLogs', s.trial, { userType: 'system', type: 'removeReads' })
  expect(entries.map(({ event }) => [event.block, event.rowCount])).toEqual([
    [2, 3],
    [1, 3],
  ])
  await s.owner.do('listNotes', s.trial, s.anna)
  await s.service.services.reads.flush()
  expect(kept()).toEqual([7, 8]) // of the log, and of the notes
  expect(verifyReads(s.db.$client)).toBe('2 reads of 1 trials fit')
  expect(verifyRows(s.db.$client)).toBeTruthy()
  expect(verifyChains(s.db.$client).find((chain) => chain.fault)).toBeUndefined()
})

test('to look for reads to remove, no row of the trail is looked at', async () => {
  const s = await study()
  await readOnDays(s, 3)
  const { $client: sqlite } = s.db
  const collector = collectStatements(sqlite)
  expect(await expiredReads.run(s.service.services, present(parseInstant(s.now())))).toBe(false)
  const found = collector.end().flatMap((sql) => scans(sqlite, sql))
  expect(found).toEqual(['SCAN readHeads USING COVERING INDEX sqlite_autoindex_readHeads_1']) // a row a trial
})

test('six years are kept by default', async () => {
  const s = await study()
  await readOnDays(s, 1)
  const now = present(parseInstant(s.now()))
  s.clock(6 * 365 * DAY)
  await s.service.services.tick()
  expect(rowsWhere(s.db, reads, { trial: s.trial })).toHaveLength(3)
  expect(removeReads(s.db, s.trial, { before: now - 2 * DAY, now, limit: 5 })).toBe(0)
  s.clock(3 * DAY)
  await s.service.services.tick()
  expect(rowsWhere(s.db, reads, { trial: s.trial })).toEqual([])
})

test('an export is in the trail before its answer; other reads are when the server stops', async () => {
  const s = await study()
  await s.owner.do('exportResponses', s.trial, { type: 'csv' })
  const killed = afterKill(s)
  expect(rowsWhere(killed.services.db, reads, { trial: s.trial }).map(({ operation }) => operation)).toEqual([
    'exportResponses',
  ])
  await s.owner.do('listNotes', s.trial, s.anna)
  expect(rowsWhere(s.db, reads, { trial: s.trial })).toHaveLength(1)
  s.service.services.reads.close()
  s.service.flush()
  expect(rowsWhere(s.db, reads, { trial: s.trial })).toHaveLength(2)
})

test('what cannot be written is tried again', async () => {
  const s = await study()
  await s.owner.do('listNotes', s.trial, s.anna)
  s.db.$client.run(`CREATE TRIGGER broken BEFORE INSERT ON reads BEGIN SELECT RAISE(ABORT, 'broken'); END`)
  await s.service.services.reads.flush()
  expect(s.takeFaults().map(([about]) => about)).toEqual(['trail of reads'])
  s.db.$client.run('DROP TRIGGER broken')
  await s.service.services.reads.flush()
  expect(rowsWhere(s.db, reads, { trial: s.trial })).toHaveLength(1)
})

test('a participant who is gone stays in the rows by the ID; a trial takes its trail with it', async () => {
  const s = await study()
  await s.owner.do('listNotes', s.trial, s.anna)
  await s.owner.call('DELETE', `/trials/${s.trial}/participants/${s.anna}`, { reason: 'registered twice' })
  const { participants } = firstOf((await s.owner.do('listReads', s.trial, { participant: s.anna })).reads)
  expect(participants).toEqual([{ _id: s.anna, participantId: 'P-1' }])
  const admin = await s.signInStaff(s.owner)
  expect((await admin.call('DELETE', `/trials/${s.trial}`)).status).toBe(200)
  s.clock(31 * DAY)
  await s.service.services.tick()
  await s.service.services.reads.flush()
  for (const table of [reads, readHeads, readBlocks]) expect(rowsWhere(s.db, table, { trial: s.trial })).toEqual([])
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

test('a list of reads has those that are being written', async () => {
  const s = await study()
  await s.owner.do('listNotes', s.trial, s.anna)
  const { reads: trail } = s.service.services
  const writing = trail.flush()
  await trail.flush()
  expect(rowsWhere(s.db, reads, { trial: s.trial })).toHaveLength(1)
  await writing
})

test('of a list that overlaps with an earlier one, only whom that did not name is in a new row', async () => {
  const s = await study()
  const { reads: trail } = s.service.services
  const read = (participants: string[], minutes: number) => {
    const createdAt = present(parseInstant(s.now())) + minutes * MINUTE
    const of = { trial: s.trial, operation: 'x', user: null, userEmail: null, apiToken: null, address: null }
    trail.record({ ...of, createdAt, about: { participants: packIds(participants) } })
  }
  read([s.anna, s.bert, s.anna], 0)
  read([s.anna, s.bert], 1)
  read([s.anna, s.bert, s.carl], 10)
  read([s.anna, s.bert, s.carl], 14)
  read([s.anna, s.bert, s.carl], 15)
  read([s.anna, s.bert, s.carl], 26)
  await trail.flush()
  const rows = rowsWhere(s.db, reads, { trial: s.trial })
  expect(rows.map(({ participant, participants }) => (participant ? [participant] : unpackIds(participants)))).toEqual([
    [s.anna, s.bert],
    [s.carl],
    [s.anna, s.bert],
    [s.carl],
  ])
})
