/**
 * The floor of submissions with our tables: Elysia with its own validation, which looks up the key and the participant and
 * writes the same rows to the same tables, in a shared durable commit. It has nothing of our pipeline: no conditions, scores,
 * merging, timelines or audit chain: `tablesFloor.ts <directory> <participants>`. Prints its port.
 */
import { join } from 'node:path'
import { migrate, openSqlite } from '#db/open'
import { newId, sha256 } from '#kernel/id'
import { serveFloor } from './floorServer'
import { directory, groupCommit, people } from './groupCommit'

const sqlite = openSqlite(join(directory, 'trialbox.db'))
migrate(sqlite)
const now = () => Date.now() * 1000
const [team, user, trial, stage] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(24)) as [
  string,
  string,
  string,
  string,
]
sqlite.query(`INSERT INTO teams (_id, createdAt, name, features) VALUES (?, 0, 'Team', '{}')`).run(team)
sqlite.query(`INSERT INTO users (_id, createdAt, name, email) VALUES (?, 0, 'User', 'user@example.org')`).run(user)
sqlite
  .query(`INSERT INTO trials (_id, createdAt, team, name, code) VALUES (?, 0, ?, 'Trial', 'trial')`)
  .run(trial, team)
sqlite.query(`INSERT INTO stages (_id, createdAt, trial, "index", name) VALUES (?, 0, ?, 0, 'Stage')`).run(stage, trial)
sqlite
  .query(`INSERT INTO layouts (key, _id, trial, stage, dataTypes) VALUES (1, 'layout', ?, ?, '[]')`)
  .run(trial, stage)
sqlite
  .query(`INSERT INTO apiKeys (_id, createdAt, user, name, prefix, hash) VALUES (?, 0, ?, 'key', 'tbk_', ?)`)
  .run(user, user, sha256('floor'))
sqlite.transaction(() => {
  const insert = sqlite.query(
    'INSERT INTO participants (_id, createdAt, trial, id, idSort, progressDueAt) VALUES (?, 0, ?, ?, ?, NULL)',
  )
  for (let at = 0; at < people; at++) insert.run(`p${at}`, trial, `P-${at}`, `p-${at}`)
})()

const key = sqlite.query<{ user: string }, [string]>('SELECT user FROM apiKeys WHERE hash = ?')
const participant = sqlite.query<{ _id: string }, [string]>('SELECT _id FROM participants WHERE _id = ?')
const respond = sqlite.query<{ _id: string }, [Record<string, string | number>]>(
  `INSERT INTO storedResponses (_id, createdAt, updatedAt, stage, stageRecurrence, participant, layout, submission)
   VALUES ($_id, $at, $at, (SELECT key FROM stages WHERE _id = $stage), 0, (SELECT key FROM participants WHERE _id = $participant),
     1, $submission)
   ON CONFLICT (participant, stage, stageRecurrence) DO UPDATE SET submission = $submission, updatedAt = $at
   RETURNING _id`,
)
const submit = sqlite.query(
  `INSERT INTO storedSubmissions (at, response, stageRecurrence, participant, layout, "values", partialSubmission,
   createdBy, createdByType) VALUES (?, ?, 0, ?, 1, ?, 0, ?, 'user')`,
)
const note = sqlite.query(
  `INSERT INTO auditEntries (chain, number, createdAt, type, userType, user, participant, event, hash)
   VALUES (?, ?, ?, 'submitResponse', 'user', ?, ?, ?, '')`,
)
const commit = groupCommit(sqlite)

let number = 0
serveFloor({
  key: (hash) => key.get(hash),
  participant: (_id) => participant.get(_id),
  write: (known, person, body) =>
    commit(() => {
      const at = now()
      const values = JSON.stringify(body.response)
      const { _id } = respond.get({ _id: newId(at), at, stage, participant: person._id, submission: ++number })!
      submit.run(at, _id, person._id, values, known.user)
      note.run(trial, number, at, known.user, person._id, JSON.stringify({ response: _id, stage }))
      return _id
    }),
})
