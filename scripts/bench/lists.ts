/**
 * The list of participants: `lists.ts <copy of a data directory> <times>`. Measures the answers of the service without a socket,
 * for each sort and filter, and for each the least that plain SQLite needs for the same page and total: tables of its own that are
 * filled from the answers and sorted as the search is. Prints figures in milliseconds as JSON.
 */
import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '#kernel/random'
import { systemClock } from '#kernel/time'
import { openService } from '#server/service'
import { program } from '#start/program'
import { percentile } from './figures'
import type { SeededDirectory } from './seed'

const SIZE = 80
const sorts = ['id', 'createdAt', 'lastSeenAt', 'ratioComplete'] as const
const which = ['first', 'last', 'any'] as const

type Percentiles = { p50: number; p99: number }
/** One search and page of it. */
export type ListFigures = {
  search: string
  page: (typeof which)[number]
  total: number
  floor: Percentiles
  ours: Percentiles
}

type Page = { participants: Record<string, unknown>[]; total: number }

const [folder, times] = [process.argv[2]!, Number(process.argv[3])]
const { key, trials } = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as SeededDirectory
const service = openService(program, {
  directory: join(folder, 'data'),
  storageKey: 'sixteen or more bytes',
  clock: systemClock,
  publicUrl: 'http://localhost',
  version: '0.0.0+bench',
})
const filters = {
  'no filter': '',
  archived: 'includeArchived=true',
  unallocated: 'allocationUnallocated=true',
  'not withdrawn': 'withdrawnNotWithdrawn=true',
  joined: 'joinedJoined=true',
  'behind schedule': 'scheduleBehind=true',
  'in no group': 'groupsIncludeNone=true',
  'in a group': `groupsInclude=${trials[0]!.group}`,
  'ID contains 99': 'term=99',
  'of several kinds': 'joinedNotJoined=true&allocationAllocated=true&withdrawnNotWithdrawn=true',
}
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

const plain = new Database(join(folder, 'plain.db'), { create: true, strict: true })
// As ours: in other modes, each query takes locks on the file.
plain.run('PRAGMA journal_mode = WAL')
plain.run('PRAGMA cache_size = -32768')

type Value = string | number | null
const stored = (value: unknown): Value =>
  value === null || typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value ?? null)

const memberships = ['groups', 'sites'] as const

/** Reads the whole search through the service into a table whose key is the place in the list, with memberships in tables beside it. */
async function storePlain(query: string): Promise<number> {
  const { participants, total } = JSON.parse((await ours(query)).text) as Page
  const all = new Set(participants.flatMap((row) => Object.keys(row)))
  const columns = [...all].filter((name) => !memberships.some((each) => each === name))
  for (const table of ['people', 'totals', ...memberships]) plain.run(`DROP TABLE IF EXISTS ${table}`)
  plain.run(`CREATE TABLE people (place INTEGER PRIMARY KEY, ${columns.map((name) => `"${name}"`).join(', ')})`)
  plain.run(`CREATE TABLE totals (total INTEGER)`)
  plain.query('INSERT INTO totals VALUES (?)').run(total)
  for (const table of memberships)
    plain.run(`CREATE TABLE ${table} (participant TEXT, _id TEXT, PRIMARY KEY (participant, _id)) WITHOUT ROWID`)
  const insert = plain.prepare(`INSERT INTO people VALUES (?${', ?'.repeat(columns.length)})`)
  const insertMember = memberships.map((table) => plain.prepare(`INSERT INTO ${table} VALUES (?, ?)`))
  const storePage = plain.transaction((rows: Page['participants'], first: number) => {
    for (const [at, row] of rows.entries()) {
      insert.run(first + at, ...columns.map((name) => stored(row[name])))
      for (const [table, name] of memberships.entries())
        for (const _id of row[name] as string[]) insertMember[table]!.run(row._id as string, _id)
    }
  })
  for (let number = 1; (number - 1) * SIZE < total; number++) {
    const page = JSON.parse((await ours(`${query}&page=${number}`)).text) as Page
    storePage(page.participants, (number - 1) * SIZE)
  }
  return total
}

/** The least for a page: 80 rows by key, the memberships of each, and the stored total. Returns a function that times a page. */
function floorOf(): (number: number) => number {
  const rows = plain.prepare<{ _id: string }, [number, number]>(
    'SELECT * FROM people WHERE place >= ? ORDER BY place LIMIT ?',
  )
  const [groups, sites] = memberships.map((table) =>
    plain.prepare<unknown, [string]>(`SELECT _id FROM ${table} WHERE participant = ?`),
  )
  const total = plain.prepare<object, []>('SELECT total FROM totals')
  return (number) => {
    const started = performance.now()
    const participants = rows
      .all((number - 1) * SIZE, SIZE)
      .map((row) => ({ ...row, groups: groups!.all(row._id), sites: sites!.all(row._id) }))
    JSON.stringify({ participants, ...total.get() })
    return performance.now() - started
  }
}

const sharesOf = (all: number[]): Percentiles => ({ p50: percentile(all, 0.5), p99: percentile(all, 0.99) })

async function measure(search: string, query: string): Promise<ListFigures[]> {
  const total = await storePlain(query)
  const floor = floorOf()
  const pages = Math.max(1, Math.ceil(total / SIZE))
  const random = randomFrom(3)
  const number = { first: () => 1, last: () => pages, any: () => random.whole(1, pages) }
  const figures: ListFigures[] = []
  for (const page of which) {
    const [theirs, mine]: [number[], number[]] = [[], []]
    for (let at = -times / 2; at < times; at++) {
      const chosen = number[page]()
      const [least, { took }] = [floor(chosen), await ours(`${query}&page=${chosen}`)]
      if (at < 0) continue // warming up
      theirs.push(least)
      mine.push(took)
    }
    figures.push({ search, page, total, floor: sharesOf(theirs), ours: sharesOf(mine) })
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
