/**
 * The list of participants: `lists.ts <copy of a data directory> <times>`. Measures the answers of the service without a socket,
 * for each sort and filter, and for each the least that plain SQLite needs for the same page and total: an index of its own on a
 * table of its own, filled from the answers. Prints figures in milliseconds as JSON.
 */
import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '#kernel/random'
import { systemClock } from '#kernel/time'
import { openService } from '#server/service'
import { percentile } from './figures'
import type { Seeded } from './seed'

const SIZE = 80
const sorts = ['id', 'createdAt', 'lastSeenAt', 'ratioComplete'] as const
const filters = {
  'no filter': '',
  archived: 'includeArchived=true',
  unallocated: 'allocationUnallocated=true',
  'not withdrawn': 'withdrawnNotWithdrawn=true',
  joined: 'joinedJoined=true',
  'behind schedule': 'scheduleBehind=true',
  'in no group': 'groupsIncludeNone=true',
  'ID contains 99': 'term=99',
  'of several kinds': 'joinedNotJoined=true&allocationAllocated=true&withdrawnNotWithdrawn=true',
}
const which = ['first', 'last', 'any'] as const

type Shares = { p50: number; p99: number }
/** One search and page of it. */
export type ListFigures = { search: string; page: (typeof which)[number]; total: number; floor: Shares; ours: Shares }

type Page = { participants: Record<string, unknown>[]; total: number }

const [folder, times] = [process.argv[2]!, Number(process.argv[3])]
const { key, trials } = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as Seeded
const service = openService({
  directory: join(folder, 'data'),
  storageKey: 'sixteen or more bytes',
  clock: systemClock,
  publicUrl: 'http://localhost',
  version: '0.0.0+bench',
})
const headers = { Authorization: `Bearer ${key}` }

async function ours(query: string): Promise<{ took: number; text: string }> {
  const request = new Request(`http://localhost/trials/${trials[0]!.trial}/participants?${query}`, { headers })
  const started = performance.now()
  const response = await service.handle(request, '127.0.0.1')
  const text = await response.text()
  const took = performance.now() - started
  if (response.status !== 200) throw new Error(text)
  return { took, text }
}

const plain = new Database(':memory:', { strict: true })
plain.run('PRAGMA temp_store = MEMORY')

type Value = string | number | null
const stored = (value: unknown): Value =>
  value === null || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value ?? null)

/** Reads the whole search through the service into a table with one index: its place in the list. Returns the reader of a page. */
async function floorOf(query: string): Promise<{ total: number; page: (number: number) => number }> {
  const first = JSON.parse((await ours(query)).text) as Page
  const columns = [...new Set(first.participants.flatMap((row) => Object.keys(row)))]
  plain.run('DROP TABLE IF EXISTS people; DROP TABLE IF EXISTS totals')
  plain.run(`CREATE TABLE people (place INTEGER PRIMARY KEY, ${columns.map((name) => `"${name}"`).join(', ')})`)
  plain.run(`CREATE TABLE totals (total INTEGER)`)
  plain.query('INSERT INTO totals VALUES (?)').run(first.total)
  const insert = plain.query(`INSERT INTO people VALUES (?${', ?'.repeat(columns.length)})`)
  for (let number = 1; (number - 1) * SIZE < first.total; number++) {
    const { participants } = JSON.parse((await ours(`${query}&page=${number}`)).text) as Page
    plain.transaction(() => {
      for (const [at, row] of participants.entries())
        insert.run((number - 1) * SIZE + at, ...columns.map((name) => stored(row[name])))
    })()
  }
  const rows = plain.prepare('SELECT * FROM people WHERE place >= ? ORDER BY place LIMIT ?')
  const total = plain.prepare('SELECT total FROM totals')
  const page = (number: number) => {
    const started = performance.now()
    const participants = rows.all((number - 1) * SIZE, SIZE)
    JSON.stringify({ participants, ...(total.get() as object) })
    return performance.now() - started
  }
  return { total: first.total, page }
}

const sharesOf = (all: number[]): Shares => ({ p50: percentile(all, 0.5), p99: percentile(all, 0.99) })

async function measure(search: string, query: string): Promise<ListFigures[]> {
  const floor = await floorOf(query)
  const pages = Math.max(1, Math.ceil(floor.total / SIZE))
  const random = randomFrom(3)
  const number = { first: () => 1, last: () => pages, any: () => random.whole(1, pages) }
  const figures: ListFigures[] = []
  for (const page of which) {
    const [theirs, mine]: [number[], number[]] = [[], []]
    for (let at = -times / 2; at < times; at++) {
      const chosen = number[page]()
      const [least, { took }] = [floor.page(chosen), await ours(`${query}&page=${chosen}`)]
      if (at < 0) continue // warming up
      theirs.push(least)
      mine.push(took)
    }
    figures.push({ search, page, total: floor.total, floor: sharesOf(theirs), ours: sharesOf(mine) })
  }
  return figures
}

const figures: ListFigures[] = []
for (const sort of sorts) {
  for (const order of ['asc', 'desc'])
    figures.push(...(await measure(`by ${sort}, ${order}`, `sort=${sort}&sortOrder=${order}`)))
}
for (const [name, filter] of Object.entries(filters).slice(1))
  figures.push(...(await measure(`${name}, by id`, `sort=id&${filter}`)))
figures.push(...(await measure('joined, by lastSeenAt', `sort=lastSeenAt&sortOrder=desc&${filters.joined}`)))
figures.push(...(await measure('in no group, by ratioComplete', `sort=ratioComplete&${filters['in no group']}`)))
service.close()
console.log(JSON.stringify(figures))
process.exit(0)
