/**
 * What the trail of reads costs: `bun scripts/bench/readTrail.ts [participants] [rounds]`. Reads pages of participants without a
 * socket, by turns without the trail, with it when each page leaves a row, and when each page is in it already. Prints the CPU time of a
 * page, with the commits in it, and the search of the trail by participant. The clock of the service is ahead of that of the machine.
 */
import { participantListOperations } from '#conduct/participants/listOperations'
import type { AnyOperation } from '#http/operation'
import { newId } from '#kernel/id'
import { MINUTE } from '#kernel/time'
import { comparison, comparisonTable, figure, markdown } from './figures'
import { ownService } from './ownService'

const [people = 10_000, rounds = 200] = process.argv.slice(2).map(Number)
const PAGES = Math.ceil(people / 80)
/** So many pages are read in each turn: the whole list once. On a busy server more are written at once. */
const TURN = PAGES

const { service, services, db, clock, team, headers, call, advance, close } = ownService()

const { _id: trial } = await call('POST', `/teams/${team}/trials`, { name: 'Large' })
const ids = Array.from({ length: people }, () => newId(clock.now()))
db.$client.transaction(() => {
  const insert = db.$client.query(
    `INSERT INTO participants (_id, createdAt, trial, id, idSort, email) VALUES (?, ?, ?, ?, ?, 'p@example.org')`,
  )
  for (const [at, _id] of ids.entries()) insert.run(_id, clock.now() - people + at, trial, `P-${at}`, `p-${at}`)
})()
await services.tick()

const look = await call<{ participants: unknown[] }>('GET', `/trials/${trial}/participants?page=2`)
if (look.participants.length !== 80) throw new Error('The list is empty.')
/** The operation as the service compiled it, so that the trail can be left out. */
const list: AnyOperation = participantListOperations[0]
const { reads } = list

const page = async (number: number): Promise<void> => {
  const url = `http://localhost/trials/${trial}/participants?sort=createdAt&page=${number}`
  await (await service.handle(new Request(url, { headers }), '192.0.2.1')).text()
}

/**
 * How the pages of a turn are read: in another quarter of an hour than before, or again, and both without the trail. What else the service
 * does after a quarter of an hour is so in both.
 */
type ReadingMode = 'first' | 'again' | 'firstWithout' | 'againWithout'

/** Reads pages one after the other, by the first page of a turn. Returns the CPU time of each in microseconds, writing included. */
async function turn(way: ReadingMode, from: number): Promise<number> {
  list.reads = way === 'first' || way === 'again' ? reads! : 'nobody'
  if (way === 'first' || way === 'firstWithout') advance(15 * MINUTE)
  const before = process.cpuUsage()
  for (let at = 0; at < TURN; at++) await page(((from + at) % PAGES) + 1)
  await services.reads.flush()
  await Bun.sleep(20) // for what the server leaves to later
  const { user, system } = process.cpuUsage(before)
  return (user + system) / TURN
}

const [own, others] = [
  ['first', 'again'],
  ['firstWithout', 'againWithout'],
] as const
const figures: Record<ReadingMode, number[]> = { first: [], again: [], firstWithout: [], againWithout: [] }
for (let round = -20; round < rounds; round++)
  for (const way of round % 2 ? [...own, ...others] : [...others, ...own]) {
    const took = await turn(way, round * TURN + 20 * TURN)
    if (round >= 0) figures[way].push(took)
  }
const { first, again, firstWithout, againWithout } = figures
const aim = { ratio: { most: 1.05 } }
console.log(
  markdown(
    comparisonTable(`CPU time of a page of 80 of ${people.toLocaleString('en')} participants`, [
      comparison('each page leaves a row', ' µs', firstWithout, first, aim),
      comparison('each page is in the trail already', ' µs', againWithout, again, aim),
    ]),
  ),
)

const rows = db.$client.query('SELECT count(*) AS n FROM reads').get() as { n: number }
async function measureSearch(participant: string): Promise<number> {
  const started = performance.now()
  await call('GET', `/trials/${trial}/reads?participant=${participant}`)
  return performance.now() - started
}
const common: number[] = []
const nowhere: number[] = []
for (let at = 0; at < 20; at++) {
  common.push(await measureSearch(ids[at * 7]!))
  nowhere.push(await measureSearch(newId(clock.now())))
}
console.log(`Reads of a participant among ${rows.n.toLocaleString('en')} rows: ${figure(common, ' ms')}; `)
console.log(`of one whom no row names: ${figure(nowhere, ' ms')}.`)
close()
