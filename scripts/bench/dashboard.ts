/**
 * Measures the dashboard and the insights of a large trial: `bun scripts/bench/dashboard.ts [participants] [sites] [stages] [runs]`.
 * Prints milliseconds. Two thirds of all forms were submitted, the others are overdue; every fifth participant has a query, on one of
 * 20 fields and on any of the last 200 days.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { verifyFigures } from '#db/figures'
import { openSqlite } from '#db/open'
import { DAY, systemClock } from '#kernel/time'
import { openService } from '#server/service'
import { program } from '#start/program'

const [people = 100_000, sites = 50, stages = 20, runs = 200] = process.argv.slice(2).map(Number)
const directory = mkdtempSync(join(tmpdir(), 'trialbox-bench-'))
const open = () =>
  openService(program, {
    storageKey: 'sixteen or more bytes',
    directory,
    clock: systemClock,
    publicUrl: 'http://localhost',
    version: '0.0.0+bench',
  })
const now = systemClock.now()
const first = open()
const { db } = first.services
const { user, team } = insertOwner(db, { email: 'a@b.org', name: 'A', team: 'T', passwordHash: null, now })
const { key } = insertApiKey(db, { user, name: 'bench', now })

type Answer = { _id: string; jobId: string; status: string; message?: string }

const caller =
  (service: ReturnType<typeof open>) =>
  async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const about = { 'Content-Type': 'application/json', 'Content-Length': `${content?.length ?? 0}` }
    const headers = { Authorization: `Bearer ${key}`, ...about }
    const request = new Request(`http://localhost${path}`, { method, headers, ...(content ? { body: content } : {}) })
    const response = await service.handle(request, '192.0.2.1')
    const answer = (await response.json()) as Answer
    if (response.status !== 200) throw new Error(`${method} ${path}: ${answer.message}`)
    return answer
  }

const make = caller(first)
const trial = (await make('POST', `/teams/${team}/trials`, { name: 'Large' }))._id
const pulse = (await make('POST', `/trials/${trial}/data-types`, { name: 'Pulse', code: 'pulse', format: 'integer' }))
  ._id
for (let n = 0; n < 19; n++)
  await make('POST', `/trials/${trial}/data-types`, { name: `Field ${n}`, code: `field${n}`, format: 'integer' })
const components = [{ id: 'pulse', dataType: pulse, title: 'Pulse' }]
for (let n = 0; n < stages; n++) await make('POST', `/trials/${trial}/stages`, { name: `Visit ${n}`, components })
for (let n = 0; n < sites; n++)
  await make('POST', `/trials/${trial}/sites`, { name: `Site ${n}`, id: `S-${n}`, enrolmentTarget: 5_000 })
first.close()

// In bulk, on a connection of its own: only the triggers of the schema run.
const sqlite = openSqlite(join(directory, 'trialbox.db'))
sqlite.run('PRAGMA synchronous = OFF')
const series = (to: number) => `WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n + 1 < ${to})`
const person = `format('b%023x', n)`
const ids = (table: string) =>
  sqlite
    .query<{ _id: string }, []>(`SELECT _id FROM ${table} ORDER BY rowid`)
    .all()
    .map(({ _id }) => _id)
const filled = performance.now()
sqlite.transaction(() => {
  sqlite.run(
    `INSERT INTO layouts (_id, trial, stage, dataTypes) SELECT 'layout ' || key, '${trial}', _id, '["${pulse}"]' FROM stages`,
  )
  sqlite.run(`INSERT INTO participants (_id, createdAt, trial, id, idSort, progressDueAt, stagesBehindSchedule) ${series(people)}
    SELECT ${person}, ${now - 900 * DAY} + (n % 900) * ${DAY}, '${trial}', 'P-' || n, printf('p-%09d', n), NULL, ${Math.ceil(stages / 3)} FROM s`)
  sqlite.run(`INSERT INTO participantSites ${series(people)}
    SELECT ${person}, json_array(${ids('sites').map((_id) => `'${_id}'`)}) ->> (n % ${sites}) FROM s`)
})()
for (const [at, stage] of ids('stages').entries()) {
  sqlite.transaction(() => {
    if (at % 3 === 2) {
      sqlite.run(`INSERT INTO overdueForms SELECT _id, '${stage}', 1 FROM participants`)
      return
    }
    const response = `'c' || printf('%03x', ${at}) || substr(p._id, 5)`
    sqlite.run(`INSERT INTO storedSubmissions (at, response, stageRecurrence, participant, layout, "values", partialSubmission, createdBy, createdByType)
      SELECT createdAt + ${at + 1} * 3600000000 * (1 + p.key % 9), ${response}, 0, p._id, l.key, json_array(60 + p.key % 37), 0, p._id, 'participant'
      FROM participants p JOIN layouts l ON l.stage = '${stage}'`)
    sqlite.run(`INSERT INTO storedResponses (_id, createdAt, updatedAt, stage, stageRecurrence, participant, layout, submission, entries)
      SELECT m.response, m.at, m.at, s.key, 0, p.key, m.layout, m._id, 1 FROM layouts l JOIN stages s ON s._id = l.stage
      JOIN storedSubmissions m ON m.layout = l.key JOIN participants p ON p._id = m.participant WHERE l.stage = '${stage}'`)
  })()
}
sqlite.transaction(() =>
  sqlite.run(`INSERT INTO queries (_id, createdAt, updatedAt, trial, participant, response, dataType, status, assignees)
    SELECT 'd' || substr(p._id, 2), ${now} - (abs(random()) % 200) * ${DAY}, ${now}, '${trial}', p._id, 'c000' || substr(p._id, 5),
      json_array(${ids('dataTypes').map((_id) => `'${_id}'`)}) ->> (abs(random()) % 20),
      iif(p.key % 2, 'open', 'answered'), '[]' FROM participants p WHERE p.key % 5 = 0`),
)()
sqlite.transaction(() => sqlite.run(`UPDATE queries SET status = 'closed' WHERE substr(_id, -1) IN ('0', '5')`))()
sqlite.close()
console.log(
  `${people} participants at ${sites} sites with ${stages} stages: made in ${((performance.now() - filled) / 1000).toFixed(1)} s`,
)

const service = open()
const ask = caller(service)
async function measure(path: string) {
  const times: number[] = []
  for (let n = 0; n < runs; n++) {
    const started = performance.now()
    await ask('GET', path)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(runs - 1, Math.floor(share * runs))]!.toFixed(1)
  console.log(`GET ${path.replace(trial, ':trialId')}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`)
}
await measure(`/trials/${trial}/dashboard`)
const started = performance.now()
const { jobId } = await ask('POST', `/trials/${trial}/insights`)
const waits: number[] = []
for (;;) {
  await Bun.sleep(20)
  const asked = performance.now()
  const { status } = await ask('GET', `/jobs/${jobId}`)
  waits.push(performance.now() - asked)
  if (status === 'error') throw new Error('The insights were not computed.')
  if (status === 'done') break
}
waits.sort((a, b) => a - b)
const took = ((performance.now() - started) / 1000).toFixed(1)
console.log(
  `insights computed in ${took} s; other requests p99 ${waits[Math.floor(waits.length * 0.99)]!.toFixed(1)} ms`,
)
await measure(`/trials/${trial}/insights`)
await measure(`/trials/${trial}/central-monitoring`)
const counted = performance.now()
verifyFigures(service.services.db.$client)
console.log(`counted again by verify in ${((performance.now() - counted) / 1000).toFixed(1)} s`)
service.close()
rmSync(directory, { recursive: true, force: true })
