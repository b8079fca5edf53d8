/** The timeline of one participant and pages of the log, over HTTP, one request at a time. */
import { idle } from '../accounting'
import { cachedFolder, copyCached } from '../cache'
import { comparison, comparisonTable, type Table } from '../figures'
import type { LoadFigures, Plan } from '../load'
import { runToEnd, type Settings } from '../run'
import type { SeededDirectory } from '../seed'
import { startTrialbox } from '../servers'
import { shuffled } from '../work'

const [PEOPLE, DAYS, OCCURRENCES] = [500, 200, 400]
const ENTRIES_A_PAGE = 30

export async function pages({ quick, rounds }: Settings): Promise<Table[]> {
  const copy = copyCached<SeededDirectory>(
    await cachedFolder('long-timelines', 'stored.ts', [PEOPLE, DAYS, OCCURRENCES]),
  )
  const { key, trials } = copy.made
  const { trial, people } = trials[0]!
  const server = await startTrialbox(copy.data)
  await idle(server.pid, 120_000)
  const logPages = Math.floor((PEOPLE * DAYS) / ENTRIES_A_PAGE)
  const anyPage = shuffled(
    Array.from({ length: logPages }, (_, at) => at + 1),
    3,
  ).slice(0, 500)
  const log = (page: number) => `/trials/${trial}/logs?page=${page}`
  const answered = `${(PEOPLE * DAYS).toLocaleString('en')} entries`
  const plans: Record<string, string[]> = {
    [`timeline of ${OCCURRENCES} occurrences, ${DAYS} of them submitted`]: shuffled(people, 1).map(
      (_id) => `/trials/${trial}/participants/${_id}/stages`,
    ),
    [`first page of a log of ${answered}`]: [log(1)],
    [`last page of a log of ${answered}`]: [log(logPages)],
    [`any page of a log of ${answered}`]: anyPage.map(log),
  }
  const common = { port: server.port, method: 'GET', bodies: [], headers: { Authorization: `Bearer ${key}` } }
  const rows: string[][] = []
  for (const [name, paths] of Object.entries(plans)) {
    const plan: Plan = { ...common, paths, concurrency: 1, requests: quick ? 300 : 2_000 }
    const runs: LoadFigures[] = []
    for (let round = -1; round < rounds; round++) {
      const got = await runToEnd<LoadFigures>('load.ts', [], plan)
      if (got.failed) throw new Error(`${name}: ${got.firstFailure}`)
      if (round >= 0) runs.push(got) // the first one warms up
    }
    const of = (figures: (each: LoadFigures) => number) => runs.map(figures)
    rows.push(
      comparison(
        `${name}: p50`,
        ' ms',
        [],
        of(({ p50 }) => p50),
      ),
    )
    rows.push(
      comparison(
        `${name}: p99`,
        ' ms',
        [],
        of(({ p99 }) => p99),
        { value: { most: 3 } },
      ),
    )
  }
  await server.stop()
  copy.remove()
  return [comparisonTable('Timelines and logs', rows)]
}
