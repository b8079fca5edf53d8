/** The digests of rows in the audit trail: what they vouch for, and what they do not tell. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { appendEntry } from '#audit/append'
import { verifyRows } from '#audit/verifyRows'
import { addAutomaticMessage } from '#conduct/messages/automaticMessages'
import { rowById, updateById } from '#db/rows'
import { notes as notesTable, participants } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { authoredText } from '#texts/writer'
import { study } from '../study'

/** Changes the database as another program does. */
function outside(directory: string, sql: string): void {
  const sqlite = new Database(join(directory, 'trialbox.db'), { strict: true })
  sqlite.run('PRAGMA busy_timeout = 5000')
  sqlite.run(sql)
  sqlite.close()
}

test('a change from outside stays noticed after the same row was changed from inside', async () => {
  const s = await study()
  const { _id } = await s.owner.do('createGroup', s.trial, { name: 'Arm A' })
  const check = () => verifyRows(s.db.$client)
  expect(check()).toMatch(/^\d+ rows are what the audit trail says$/)
  outside(s.directory, `UPDATE groups SET name = 'Arm B' WHERE _id = '${_id}'`)
  expect(check).toThrow(
    /^row [0-9a-f]{24} of groups is not what entry \d+ of chain [0-9a-f]{24} says: it does not fit its digest$/,
  )
  await s.owner.do('updateGroup', _id, { colour: 'red' })
  expect(check).toThrow(
    /^row [0-9a-f]{24} of groups was changed outside Trialbox before entry \d+ of chain [0-9a-f]{24}$/,
  )
})

test('a row that was added, removed or brought back from outside is noticed', async () => {
  const s = await study()
  const { _id } = await s.owner.do('createGroup', s.trial, { name: 'Arm A' })
  const check = () => verifyRows(s.db.$client)
  outside(s.directory, `INSERT INTO groups VALUES ('${'0'.repeat(24)}', 1, '${s.trial}', 'Added', NULL)`)
  expect(check).toThrow(/^row 0{24} of groups has no entry in the audit trail$/)
  outside(s.directory, `DELETE FROM groups`)
  expect(check).toThrow(
    /^row [0-9a-f]{24} of groups is missing, though entry \d+ of chain [0-9a-f]{24} says that it exists$/,
  )
  const t = await study()
  const arm = (await t.owner.do('createGroup', t.trial, { name: 'Arm A' }))._id
  await t.owner.do('deleteGroup', arm)
  expect(verifyRows(t.db.$client)).toBeTruthy()
  outside(t.directory, `INSERT INTO groups VALUES ('${arm}', 1, '${t.trial}', 'Arm A', NULL)`)
  expect(() => verifyRows(t.db.$client)).toThrow(
    /exists, though entry \d+ of chain [0-9a-f]{24} says that it was deleted$/,
  )
  expect(_id).not.toBe(arm)
})

test('deletions of a participant and of a trial leave nothing that does not fit', async () => {
  const s = await study()
  await s.enter({ pulse: 60 })
  await s.signIn()
  await s.owner.call('DELETE', `/trials/${s.trial}/participants/${s.anna}`, { reason: 'registered twice' })
  expect(verifyRows(s.db.$client)).toBeTruthy()
  await s.owner.do('deleteTrial', s.trial)
  expect(verifyRows(s.db.$client)).toBeTruthy()
  const { rows } = s.db.$client
    .query<{ rows: string }, []>(`SELECT rows FROM auditEntries WHERE type = 'deleteTrial'`)
    .get()!
  // The deletion of the trial stands for that of everything in it.
  expect(Object.keys(JSON.parse(rows))).toEqual(expect.not.arrayContaining(['participants', 'stages', 'dataTypes']))
})

test('what a background task changed of another trial, in the transaction of a request, outlives the trial of the request', async () => {
  const s = await study()
  const { _id: other } = await s.owner.do('createTrial', s.team, { name: 'Another study' })
  const { commit, db } = s.service.services
  const now = parseInstant(s.now())!
  const remind = () =>
    void addAutomaticMessage(db, now, s.anna, { type: 'reminder' }, { subject: null, body: authoredText('Write it.') })
  const enter = () => appendEntry(db, { chain: other, createdAt: now, type: 'test', userType: 'system', event: {} })
  await Promise.all([commit(remind), commit(enter)])
  await commit(() => {
    remind()
    enter()
  })
  expect(verifyRows(s.db.$client)).toBeTruthy()
  await s.owner.do('deleteTrial', other)
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

test('rows of participants that background tasks and requests changed in turn leave nothing when their trial is deleted', async () => {
  const s = await study()
  await s.owner.do('createTrial', s.team, { name: 'Another study' })
  const { _id } = await s.owner.do('createNote', s.trial, s.anna, { note: 'first' })
  const { commit, db } = s.service.services
  const inBackground = (text: string) =>
    commit(() => void updateById(db, notesTable, _id, { note: text, createdAt: parseInstant(s.now())! }))
  await inBackground('second')
  await s.owner.do('updateNote', s.trial, s.anna, _id, { note: 'third' })
  await inBackground('fourth')
  expect(verifyRows(s.db.$client)).toBeTruthy()
  await s.owner.do('deleteTrial', s.trial)
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

test('a refused request leaves no digests for the next entry', async () => {
  const s = await study()
  const [first, again] = await Promise.all([
    s.owner.call('POST', `/trials/${s.trial}/sites`, { name: 'North', id: 'N1' }),
    s.owner.call('POST', `/trials/${s.trial}/sites`, { name: 'Also north', id: 'n1' }),
  ])
  expect([first.status, again.status].sort()).toEqual([200, 400])
  await s.owner.do('createGroup', s.trial, { name: 'Arm A' })
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

test('participants with the same data have different digests, and a random value that their row alone holds', async () => {
  const s = await study()
  const salts = [s.anna, s.bert, s.carl].map((_id) => rowById(s.db, participants, _id)!.salt)
  expect(new Set(salts).size).toBe(3)
  for (const salt of salts) expect(salt!.length).toBeGreaterThanOrEqual(43)
  const trail = s.db.$client
    .query<{ all: string }, []>(
      `SELECT group_concat(event || coalesce(personal, '') || coalesce(rows, '')) AS "all" FROM auditEntries`,
    )
    .get()!.all
  for (const salt of salts) expect(trail).not.toContain(salt!)
  expect(JSON.stringify(await s.owner.do('readParticipant', s.trial, s.anna))).not.toContain(salts[0]!)
})

test('the log shows no digests', async () => {
  const s = await study()
  const { entries } = await s.owner.do('readLogs', s.trial)
  expect(entries.length).toBeGreaterThan(0)
  for (const entry of entries) expect(Object.keys(entry)).not.toContain('rows')
})
