/**
 * How fast 100,000 responses of twenty fields are exported, and in how much memory: `bun scripts/bench/exports.ts [rows]`.
 * The rows are written by a process of its own, so that the peak is that of the export alone. Prints one line a format.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzled, migrate, openSqlite } from '../../src/db/open'
import type { ExportTask } from '../../src/features/responses/exports/task'
import { inOrder, layoutOf } from '../../src/features/responses/layout'
import { insertResponse, insertSubmission, keepLayout } from '../../src/features/responses/queries'
import { pool } from '../../src/jobs/pool'
import { newId } from '../../src/kernel/id'
import { answers, components, dataTypes, random } from './work'

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
  const db = drizzled(sqlite)
  const next = random(7)
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
    keepLayout(db, layout)
    for (let at = 0; at < rows; at++) {
      const said = Object.entries(answers(ids, next)).map(([id, { value }]) => [id, value] as const)
      const common = {
        trial,
        stage,
        stageRecurrence: Math.floor(at / PARTICIPANTS),
        participant: people[at % PARTICIPANTS]!,
        layout: layout._id,
        values: JSON.stringify(inOrder(layout, Object.fromEntries(said))),
        score: at % 15,
        partialSubmission: 0,
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
      insertResponse(db, { ...common, ...moments, _id: response, stamps: `${submission}`, status: null })
    }
  })()
  sqlite.close()
}

/** Memory of this process in MB: `VmHWM` is its peak, `VmRSS` what it holds now. */
const memory = (what: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024

async function measure(folder: string, rows: number, format: ExportTask['format']): Promise<void> {
  const ground = { database: join(folder, 'bench.db'), exports: join(folder, 'exports'), files: folder }
  mkdirSync(ground.exports, { recursive: true })
  const workers = pool(() => new Worker(new URL('../../src/jobs/worker.ts', import.meta.url).href), ground, 1)
  await workers.perform({ kind: 'none', input: {} }).catch(() => {})
  const before = memory('VmRSS')
  const started = performance.now()
  const input: ExportTask = {
    format,
    trial,
    stage: null,
    needs: ['exportData'],
    access: { trial: ['admin', 'exportData', 'readParticipantPersonalInformation'], places: [] },
    file: `${format}.out`,
  }
  const { bytes } = await workers.perform({ kind: 'exportResponses', input })
  const seconds = (performance.now() - started) / 1000
  console.log(
    `${format.padEnd(6)} ${Math.round(rows / seconds)} rows/s  ${((bytes as number) / 1024 ** 2).toFixed(0)} MB in ${seconds.toFixed(2)} s` +
      `  peak ${memory('VmHWM').toFixed(0)} MB, of which ${before.toFixed(0)} MB before`,
  )
  workers.close()
}

const [first, ...rest] = process.argv.slice(2)
if (first === 'fill') fill(rest[0]!, Number(rest[1]))
else if (first === 'measure') await measure(rest[0]!, Number(rest[1]), rest[2] as ExportTask['format'])
else {
  const rows = Number(first ?? 100_000)
  const folder = mkdtempSync(join(tmpdir(), 'trialbox-exports-'))
  const run = (...words: string[]) =>
    Bun.spawnSync([process.execPath, import.meta.path, ...words], { stdio: ['ignore', 'inherit', 'inherit'] })
  run('fill', join(folder, 'bench.db'), `${rows}`)
  for (const format of ['csv', 'excel', 'json']) run('measure', folder, `${rows}`, format)
  rmSync(folder, { recursive: true })
}
