/**
 * The floor of exports: plain SQLite reads the same answers from a table of its own: `plain.ts <folder> <rows>` makes it,
 * `plain.ts read <folder>` prints the rows a second as JSON.
 */
import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { memory } from './accounting'
import { bodies } from './work'

const A_PAGE = 500
const PEOPLE = 10_000
const open = (folder: string) => new Database(join(folder, 'plain.db'), { create: true, strict: true })

function make(folder: string, rows: number): void {
  mkdirSync(folder, { recursive: true })
  const sqlite = open(folder)
  sqlite.run('PRAGMA synchronous = OFF')
  sqlite.run(`CREATE TABLE answers (
    number INTEGER PRIMARY KEY, participant TEXT NOT NULL, stage TEXT NOT NULL, recurrence INTEGER NOT NULL,
    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, "values" TEXT NOT NULL) STRICT`)
  const insert = sqlite.query(
    'INSERT INTO answers (participant, stage, recurrence, createdAt, updatedAt, "values") VALUES (?, ?, ?, ?, ?, ?)',
  )
  const ids = Array.from({ length: 20 }, (_, at) => `${at}`)
  // The values without their keys, as one list, which is how to keep them compactly.
  const texts = bodies(ids, 2_000).map((text) => {
    const { response } = JSON.parse(text) as { response: Record<string, { value: unknown }> }
    return JSON.stringify(ids.map((id) => response[id]!.value))
  })
  sqlite.transaction(() => {
    for (let at = 0; at < rows; at++) {
      const person = `participant ${at % PEOPLE}`.padEnd(24)
      insert.run(person, 'a'.repeat(24), Math.floor(at / PEOPLE), at, at, texts[at % texts.length]!)
    }
  })()
  sqlite.close()
}

/** Reads all rows, in pages by key. */
function read(folder: string) {
  const sqlite = open(folder)
  const page = sqlite.query<{ number: number }, [number, number]>(
    'SELECT * FROM answers WHERE number > ? ORDER BY number LIMIT ?',
  )
  const started = performance.now()
  let [count, last] = [0, 0]
  for (;;) {
    const rows = page.all(last, A_PAGE)
    if (!rows.length) break
    count += rows.length
    last = rows.at(-1)!.number
  }
  return { perSecond: (count * 1000) / (performance.now() - started), peak: memory('VmHWM') }
}

export type PlainFigures = ReturnType<typeof read>

if (import.meta.main) {
  const [first, second] = process.argv.slice(2) as [string, string]
  if (first === 'read') console.log(JSON.stringify(read(second)))
  else {
    make(first, Number(second))
    console.log('{}')
  }
}
