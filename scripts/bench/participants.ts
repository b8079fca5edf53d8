/**
 * The list of participants: `participants.ts <directory> <count>`. Measures the responses of the service without a
 * socket, and for each the plain queries for the same 80 rows, memberships and total. Prints p50 and p99 in
 * milliseconds as JSON.
 */

import { join } from 'node:path'
import { openSqlite } from '#db/open'
import { randomFrom } from '#kernel/random'
import { DAY, systemClock } from '#kernel/time'
import { openService } from '#server/service'
import { seed } from './seed'

const SIZE = 80
const TIMES = 400

export type ListFigures = Record<'first' | 'last' | 'any', Record<'floor' | 'ours', { p50: number; p99: number }>>

async function measure(directory: string, count: number): Promise<ListFigures> {
  const service = openService({
    directory,
    storageKey: 'sixteen or more bytes',
    clock: systemClock,
    publicUrl: 'http://localhost',
    version: '0.0.0+bench',
  })
  const now = systemClock.now()
  // Participants of every kind that the list can filter by, in realistic proportions.
  const { key, trial } = seed(service.services.db, count, now, (at) => ({
    isArchived: at % 20 === 0,
    isUnallocated: at % 7 === 0,
    isWithdrawn: at % 33 === 0,
    joinedAt: at % 3 ? now : null,
    lastSeenAt: at % 3 ? now - (at % 90) * DAY : null,
    progressDueAt: null,
  }))
  const sqlite = openSqlite(join(directory, 'trialbox.db'), { readonly: true })
  const total = sqlite.query('SELECT participantCount FROM trials WHERE _id = ?')
  const groups = sqlite.query('SELECT "group" FROM participantGroups WHERE participant = ?')
  const sites = sqlite.query('SELECT site FROM participantSites WHERE participant = ?')
  // By key and without OFFSET: the floor knows where the page begins.
  const page = sqlite.query<{ _id: string }, [string, string, number]>(
    'SELECT * FROM participants WHERE trial = ? AND idSort >= ? AND isArchived = 0 ORDER BY idSort LIMIT ?',
  )
  const ask = { headers: { Authorization: `Bearer ${key}` } }

  type Page = { participants: { _id: string; id: string }[]; total: number }
  async function ours(number: number): Promise<{ took: number; body: Page }> {
    const request = new Request(`http://localhost/trials/${trial}/participants?sort=id&page=${number}`, ask)
    const started = performance.now()
    const response = await service.handle(request, '127.0.0.1')
    const text = await response.text()
    const took = performance.now() - started
    if (response.status !== 200) throw new Error(text)
    return { took, body: JSON.parse(text) }
  }
  /** The same page, which begins with that ID. */
  function floor({ participants: expected }: Page): number {
    const started = performance.now()
    const rows = page.all(trial, expected[0]!.id.toLowerCase(), SIZE)
    const participants = rows.map((row) => ({ ...row, groups: groups.all(row._id), sites: sites.all(row._id) }))
    JSON.stringify({ participants, total: total.get(trial) })
    const took = performance.now() - started
    if (rows.some(({ _id }, at) => _id !== expected[at]?._id)) throw new Error('the two do not list the same')
    return took
  }

  const pages = Math.ceil((await ours(1)).body.total / SIZE)
  const random = randomFrom(3)
  const which = { first: () => 1, last: () => pages, any: () => random.whole(1, pages) }
  const measured: Partial<ListFigures> = {}
  for (const [name, number] of Object.entries(which) as [keyof ListFigures, () => number][]) {
    const [theirs, mine]: [number[], number[]] = [[], []]
    for (let at = -100; at < TIMES; at++) {
      const { took, body } = await ours(number())
      const least = floor(body)
      if (at < 0) continue // warming up
      theirs.push(least)
      mine.push(took)
    }
    measured[name] = { floor: shares(theirs), ours: shares(mine) }
  }
  service.close()
  return measured as ListFigures
}

function shares(times: number[]) {
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(times.length * 0.5)]!, p99: times[Math.floor(times.length * 0.99)]! }
}

if (import.meta.main) {
  console.log(JSON.stringify(await measure(process.argv[2]!, Number(process.argv[3]))))
  process.exit(0)
}
