/**
 * How fast responses of twenty fields are exported, and in how much memory: `exports.ts fill|read|write <database> <rows>
 * [format]`, each a process of its own, so that the peak is that of the export alone. Prints what it measured as JSON.
 */

import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { layoutOf, valuesInOrder } from '#conduct/responses/layout'
import { insertResponse, insertSubmission, saveLayout } from '#conduct/responses/store'
import { drizzleOf, migrate, openSqlite } from '#db/open'
import type { ExportTask } from '#exchange/exports/task'
import { openLane } from '#jobs/lane'
import { threads } from '#jobs/thread'
import { newId } from '#kernel/id'
import { randomFrom } from '#kernel/random'
import { memory } from './run'
import { answers, components, dataTypes } from './work'

const [trial, stage, site, user] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(24)) as [
  string,
  string,
  string,
  string,
]
const PARTICIPANTS = 10_000
const NOW = 1_772_357_400_000_000

function fill(path: string, rows: number): void {
  const sqlite = openSqlite(path)
  migrate(sqlite)
  const db = drizzleOf(sqlite)
  const random = randomFrom(7)
  sqlite.transaction(() => {
    sqlite.query(`INSERT INTO teams (_id, createdAt, name, features) VALUES (?, 0, 'Team', '{}')`).run(user)
    sqlite
      .query(`INSERT INTO trials (_id, createdAt, team, name, code) VALUES (?, 0, ?, 'Trial', 'trial')`)
      .run(trial, user)
    sqlite.query(`INSERT INTO sites (_id, createdAt, trial, name, id) VALUES (?, 0, ?, 'Site', 'S1')`).run(site, trial)
    const addType = sqlite.query(
      'INSERT INTO dataTypes (_id, createdAt, trial, name, code, format, settings) VALUES (?, 0, ?, ?, ?, ?, ?)',
    )
    const ids = dataTypes.map(({ name, format, ...settings }, at) => {
      const _id = newId(0)
      addType.run(_id, trial, name, `field_${at}`, format, JSON.stringify(settings))
      return _id
    })
    sqlite
      .query(`INSERT INTO stages (_id, createdAt, trial, "index", name, components) VALUES (?, 0, ?, 0, 'Visit', ?)`)
      .run(stage, trial, JSON.stringify(components(ids)))
    const addParticipant = sqlite.query(
      'INSERT INTO participants (_id, createdAt, trial, id, idSort, progressDueAt) VALUES (?, 0, ?, ?, ?, NULL)',
    )
    const addSite = sqlite.query('INSERT INTO participantSites (participant, site) VALUES (?, ?)')
    const people = Array.from({ length: PARTICIPANTS }, (_, at) => {
      const _id = newId(0)
      addParticipant.run(_id, trial, `P-${at}`, `p-${at}`)
      addSite.run(_id, site)
      return _id
    })
    const layout = layoutOf(stage, ids)
    saveLayout(db, trial, layout)
    for (let at = 0; at < rows; at++) {
      const entries = Object.entries(answers(ids, random)).map(([id, { value }]) => [id, value] as const)
      const common = {
        trial,
        stage,
        stageRecurrence: Math.floor(at / PARTICIPANTS),
        participant: people[at % PARTICIPANTS]!,
        layout: layout._id,
        values: JSON.stringify(valuesInOrder(layout, Object.fromEntries(entries))),
        score: at % 15,
        partialSubmission: false,
      }
      const response = newId(NOW)
      const submission = insertSubmission(db, {
        ...common,
        at: NOW + at,
        response,
        fields: null,
        entered: null,
        createdBy: user,
        createdByType: 'user',
        address: '192.0.2.1',
        device: 'bench',
        updateNote: null,
      })
      const moments = { createdAt: NOW + at, updatedAt: NOW + at }
      insertResponse(db, { ...common, ...moments, _id: response, sources: `${submission}`, status: null })
    }
  })()
  sqlite.close()
  console.log('{}')
}

/** Reads the same rows with nothing but SQLite, in pages by key. */
function read(path: string): void {
  const sqlite = openSqlite(path, { readonly: true })
  const page = sqlite.query<Record<string, unknown>, [string, string]>(
    'SELECT * FROM responses WHERE stage = ? AND _id > ? ORDER BY _id LIMIT 500',
  )
  const started = performance.now()
  let count = 0
  for (let last = ''; ; ) {
    const rows = page.all(stage, last)
    if (!rows.length) break
    count += rows.length
    last = rows.at(-1)!._id as string
  }
  print(count, started)
}

const print = (rows: number, started: number) =>
  console.log(JSON.stringify({ perSecond: (rows * 1000) / (performance.now() - started), peak: memory('VmHWM') }))

async function write(path: string, rows: number, format: ExportTask['format']): Promise<void> {
  const folder = dirname(path)
  const setup = { database: path, exports: join(folder, 'exports'), files: folder, storageKey: 'signs nothing here' }
  mkdirSync(setup.exports, { recursive: true })
  const start = threads(() => new Worker(new URL('../../src/worker.ts', import.meta.url).href))
  const workers = openLane({ start, size: 1, waiting: 10 }, { setup })
  const input: ExportTask = {
    format,
    trial,
    stage: null,
    needs: ['exportData'],
    access: { trial: ['admin', 'exportData', 'readParticipantPersonalInformation'], places: [] },
    file: `${format}.out`,
  }
  rmSync(join(setup.exports, input.file), { force: true })
  // Starts the thread and loads what it needs, as an earlier export would have.
  await workers.perform({ kind: 'exportResponses', input: { ...input, trial: 'none' } }).catch(() => {})
  const started = performance.now()
  await workers.perform({ kind: 'exportResponses', input })
  print(rows, started)
  workers.close()
}

/** The result of one run. `peak`: memory of its process in MB. */
export type ExportFigures = { perSecond: number; peak: number }

if (import.meta.main) {
  const [what, path, rows, format] = process.argv.slice(2) as [string, string, string, ExportTask['format']]
  if (what === 'fill') fill(path, Number(rows))
  else if (what === 'read') read(path)
  else await write(path, Number(rows), format)
}
