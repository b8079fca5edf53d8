/** Verify finds manipulated queries, configuration versions and files. */
import { describe, expect, test } from 'bun:test'
import { truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { checks } from '#cli/checks'
import { verifyQueries } from '#conduct/queries/verify'
import { verifyFiles } from '#conduct/uploads/verify'
import { verifyVersions } from '#design/configurationVersions/verify'
import { uploadPath } from '#storage/names'
import { sharedInFile } from '../../harness'
import { keepNothing } from '../../purge'
import { study } from '../../study'
import { undone } from '../../undone'

/** A study with an answered, assigned query, two configuration versions, and an upload. */
async function storedStudy() {
  const s = await study()
  const { owner, trial, anna } = s
  const response = (await s.enter({ pulse: 60 })).body._id
  const query = (await owner.do('raiseQuery', trial, { response, text: 'Is this right?' }))._id
  await owner.do('answerQuery', query, { text: 'It is.' })
  await owner.do('updateQuery', query, { assignees: [owner._id] })
  await owner.do('createConfigurationVersion', trial)
  await owner.do('updateTrial', trial, { sponsor: 'Acme' })
  await owner.do('createConfigurationVersion', trial, { note: 'With its sponsor.' })
  const parameters = new URLSearchParams({
    name: 'a.pdf',
    size: '3',
    type: 'application/pdf',
    forType: 'participant',
    forId: anna,
  })
  const { signedRequestURL, fileName } = await owner.get<'requestFileUpload'>(`/uploads/file/request?${parameters}`)
  await s.fetch(signedRequestURL, { method: 'PUT', body: 'abc', headers: { 'Content-Type': 'application/pdf' } })
  const { $client: sqlite } = s.db
  for (const { run } of checks) expect(run(sqlite)).toBeString()
  // Triggers do not stop a person who has the database file.
  const triggers = sqlite.query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all()
  for (const { name } of triggers) sqlite.run(`DROP TRIGGER "${name}"`)
  const { files } = s.service.services.storage
  return { ...s, sqlite, files, path: uploadPath(files, fileName as string) }
}

describe('verify finds manipulation', () => {
  const shared = sharedInFile(storedStudy)
  test.each<[string, string, RegExp]>([
    [
      'the text of a message',
      `UPDATE queryMessages SET text = 'It is not.' WHERE text = 'It is.'`,
      /^message \w+ of query \w+ differs from the audit trail/,
    ],
    ['the author of a message', `UPDATE queryMessages SET user = NULL`, /differs from the audit trail/],
    ['when', `UPDATE queryMessages SET createdAt = createdAt + 1`, /differs from the audit trail/],
    ['the attachments', `UPDATE queryMessages SET attachments = '["x"]'`, /differs from the audit trail/],
    ['a deleted message', `DELETE FROM queryMessages WHERE text = 'It is.'`, /^message \w+ of query \w+ is missing/],
    [
      'a message from nowhere',
      `INSERT INTO queryMessages SELECT 'f' || substr(_id, 2), createdAt, query, user, text, attachments FROM queryMessages LIMIT 1`,
      /differs from the audit trail/,
    ],
    ['a status', `UPDATE queries SET status = 'closed'`, /^query \w+ is closed, not open/],
    ['assignees', `UPDATE queries SET assignees = '[]'`, /^query \w+ has other assignees/],
    ['a deleted query', 'DELETE FROM queries', /^query \w+ is missing/],
    [
      'a query from nowhere',
      `INSERT INTO queries SELECT 'f' || substr(_id, 2), createdAt, updatedAt, trial, participant, response, dataType, status,
        assignees, raisedBy, rule, instructions, fingerprint FROM queries`,
      /^query f\w+ has no entry/,
    ],
  ])('of queries: %s', async (_, sql, says) => {
    const { sqlite } = await shared()
    expect(verifyQueries(sqlite)).toBe('1 queries match the audit trail')
    undone(sqlite, () => {
      expect(sqlite.run(sql).changes).toBeGreaterThan(0)
      expect(() => verifyQueries(sqlite)).toThrow(says)
    })
  })

  test.each<[string, string, RegExp]>([
    [
      'a setting',
      `UPDATE configurationVersions SET snapshot = json_set(snapshot, '$.settings.sponsor', 'x') WHERE number = 2`,
      /^configuration version 2 of trial \w+ is not what was taken/,
    ],
    [
      'its hash',
      `UPDATE configurationVersions SET hash = 'x' WHERE number = 1`,
      /version 1 of trial \w+ is not what was taken/,
    ],
    [
      'both of them',
      `UPDATE configurationVersions SET (snapshot, hash) = (SELECT snapshot, hash FROM configurationVersions WHERE number = 1) WHERE number = 2`,
      /version 2 of trial \w+ is not the one in the audit trail/,
    ],
    [
      'its number',
      'UPDATE configurationVersions SET number = 7 WHERE number = 2',
      /version 7 of trial \w+ is not the one/,
    ],
    ['its deletion', 'DELETE FROM configurationVersions WHERE number = 2', /version 2 of trial \w+ is missing/],
  ])('of configuration versions: %s', async (_, sql, says) => {
    const { sqlite } = await shared()
    expect(verifyVersions(sqlite)).toBe('2 configuration versions are as they were taken')
    undone(sqlite, () => {
      expect(sqlite.run(sql).changes).toBeGreaterThan(0)
      expect(() => verifyVersions(sqlite)).toThrow(says)
    })
  })

  type StoredStudy = Awaited<ReturnType<typeof storedStudy>>
  test.each<[string, (s: StoredStudy) => void, RegExp]>([
    ['its content', ({ path }) => writeFileSync(path, 'abd'), /^file \S+ is not what was stored/],
    ['its length', ({ path }) => truncateSync(path, 2), /^file \S+ has 2 bytes, not 3/],
    ['its deletion', ({ path }) => unlinkSync(path), /^file \S+ is missing/],
    [
      'its content and its record',
      ({ path, sqlite }) => {
        writeFileSync(path, 'abd')
        sqlite.run('UPDATE files SET sha256 = ?', [new Bun.CryptoHasher('sha256').update('abd').digest('hex')])
      },
      /^file \S+ is not what was stored/,
    ],
  ])('of files: %s', async (_, change, says) => {
    const s = await storedStudy()
    expect(verifyFiles(s.sqlite, s.files)).toBe('1 files are what was stored')
    change(s)
    expect(() => verifyFiles(s.sqlite, s.files)).toThrow(says)
  })
})

test('what was deleted with its participant, response or trial is not reported as missing', async () => {
  const { sqlite, db, owner, trial, anna, files } = await storedStudy()
  keepNothing({ db })
  await owner.do('deleteParticipant', trial, anna, { reason: 'asked to be forgotten' })
  expect(verifyQueries(sqlite)).toBe('0 queries match the audit trail')
  expect(verifyFiles(sqlite, files)).toBe('0 files are what was stored')
})
