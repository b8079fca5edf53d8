/**
 * The lean floor of submissions: the least that could be called the same service. Elysia with its own validation, one table
 * for answers and one audit row with its hash, in a shared durable commit: `leanFloor.ts <directory> <participants>`. Its
 * schema is its own, with integer keys, so that it does not change with ours. Prints its port.
 */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { serveFloor, sha256 } from './floorServer'
import { directory, groupCommit, people } from './groupCommit'

const sqlite = new Database(join(directory, 'trialbox.db'), { create: true, strict: true })
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -32768']) sqlite.run(`PRAGMA ${pragma}`)
sqlite.run(`
  CREATE TABLE keys (hash TEXT PRIMARY KEY, user INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE participants (number INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE answers (
    number INTEGER PRIMARY KEY, participant INTEGER NOT NULL, stage INTEGER NOT NULL, recurrence INTEGER NOT NULL,
    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, "values" TEXT NOT NULL, UNIQUE (participant, stage, recurrence)
  ) STRICT;
  CREATE TABLE audit (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, user INTEGER NOT NULL, participant INTEGER NOT NULL,
    event TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;`)
sqlite.query('INSERT INTO keys VALUES (?, 1)').run(sha256('floor'))
sqlite.transaction(() => {
  const insert = sqlite.query('INSERT INTO participants (_id) VALUES (?)')
  for (let at = 0; at < people; at++) insert.run(`p${at}`)
})()

const key = sqlite.query<{ user: number }, [string]>('SELECT user FROM keys WHERE hash = ?')
const participant = sqlite.query<{ number: number }, [string]>('SELECT number FROM participants WHERE _id = ?')
const answer = sqlite.query<{ number: number }, (string | number)[]>(
  `INSERT INTO answers (participant, stage, recurrence, createdAt, updatedAt, "values") VALUES (?, 1, 0, ?, ?, ?)
   ON CONFLICT DO UPDATE SET "values" = excluded."values", updatedAt = excluded.updatedAt RETURNING number`,
)
const record = sqlite.query('INSERT INTO audit (at, user, participant, event, hash) VALUES (?, ?, ?, ?, ?)')
const commit = groupCommit(sqlite)

let hash = sha256('the first entry')
serveFloor({
  key: (hash) => key.get(hash),
  participant: (_id) => participant.get(_id),
  write: ({ user }, person, body) =>
    commit(() => {
      const at = Date.now() * 1000
      const values = JSON.stringify(body.response)
      const { number } = answer.get(person.number, at, at, values)!
      const event = JSON.stringify({ answer: number, stage: 1, note: body.updateNote, digest: sha256(values) })
      hash = sha256(JSON.stringify([hash, at, user, person.number, event]))
      record.run(at, user, person.number, event, hash)
      return number
    }),
})
