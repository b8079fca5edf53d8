/** Half of a surrogate pair in a database: SQLite stores U+FFFD for it, and every check still fits what is stored. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { appendEntry, recordRemainingChanges } from '#audit/append'
import { digest, textOfFields } from '#audit/digest'
import { command as verify } from '#cli/verify'
import { runInTransaction } from '#db/commit'
import { drizzleOf, openSqlite } from '#db/open'
import { watchRows } from '#db/watch'
import { backedUp, call, contentOf, directory, restored } from '../cli/backup.study'
import { proof } from '../proof'

const half = 'a \ud83d b'
const stored = 'a \ufffd b'

test('the digest of a row is the same before it is stored and after', () => {
  const { of } = digest<Record<string, unknown>>(textOfFields(['note', 'values', 'score']))
  for (const rest of [{ values: JSON.stringify([half]), score: 1 }, { values: '"\\\\ud800"', score: null }, {}]) {
    expect(of({ ...rest, note: half })).toBe(of({ ...rest, note: stored }))
  }
  // What is stored as it is must not become the same as something else.
  expect(of({ values: JSON.stringify(half) })).not.toBe(of({ values: JSON.stringify(stored) }))
  expect(of({ note: half })).not.toBe(of({ note: 'a  b' }))
})

proof('verify, backup and restore go on with a database that holds such a text', async () => {
  const { root } = directory([10])
  const sqlite = openSqlite(join(root, 'trialbox.db'))
  const db = drizzleOf(sqlite)
  for (const text of [half, '\udc00', `${half}\ud800`, 'a\0b']) {
    const act = { chain: 'service', createdAt: 1, type: 'test', userType: 'user' as const, userEmail: text }
    appendEntry(db, { ...act, device: text, event: { text, [text]: text }, personal: { name: text } })
  }
  watchRows(db)
  runInTransaction(db, () => {
    sqlite.query('UPDATE teams SET name = ?').run(half)
    recordRemainingChanges(db, 1)
  })
  sqlite.close()
  const { lines, call: made } = call({ data: root })
  expect([await verify.run(made), lines.filter((line) => line.startsWith('fault'))]).toEqual([0, []])
  const { archive } = await backedUp(root)
  const { data } = await restored(archive)
  expect(contentOf(data)).toEqual(contentOf(root))
  const again = call({ data })
  expect(await verify.run(again.call)).toBe(0)
})
