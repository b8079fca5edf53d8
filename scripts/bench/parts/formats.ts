/**
 * All responses in several formats and shapes, while participants submit: how long it takes, what the server needs for a tenth of
 * the responses and for all of them, and how long submissions take meanwhile, against those of the minute before.
 */
import { idle, memory } from '../accounting'
import { cachedFolder, copyCached } from '../cache'
import { comparison, type Table } from '../figures'
import type { LoadFigures, Plan } from '../load'
import { run, type Settings } from '../run'
import type { SeededDirectory } from '../seed'
import { type Server, startTrialbox } from '../servers'
import { submissionsTo } from '../submissionPlans'
import { bodies } from '../work'

const PEOPLE = 10_000
const RATE = 100
const ALONE_S = 40
/** So long the server warms up first. */
const WARM_S = 10
const formats = {
  csv: 'type=csv',
  workbook: 'type=excel',
  'csv, wide': 'type=csv&shape=wide',
  'csv, long': 'type=csv&shape=long',
  sav: 'type=spss',
  'sav, wide': 'type=spss&shape=wide',
} as const

/** Memory in MB: at its peak, and before the export. */
type Figures = { took: number; before: number; peak: number; megabytes: number; alone: number; beside: number }

/** Downloads an export and counts its bytes. A package and a workbook are sent by a link. */
async function download(server: Server, { key, trials }: SeededDirectory, query: string): Promise<number> {
  const url = `${server.url}/trials/${trials[0]!.trial}/responses?${query}`
  let answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` }, ...{ timeout: false } })
  if (!answer.ok) throw new Error(await answer.text())
  if (!query.startsWith('type=csv')) answer = await fetch(((await answer.json()) as { request: string }).request)
  if (!answer.ok) throw new Error(await answer.text())
  let bytes = 0
  for await (const piece of answer.body!) bytes += piece.length
  return bytes
}

/** One export by a server that has just started, so that its peak of memory is that of the export and of submissions. */
async function exportOnce(
  data: string,
  made: SeededDirectory,
  query: string,
  occurrence: () => number,
): Promise<Figures> {
  const server = await startTrialbox(data)
  await idle(server.pid, 120_000)
  const texts = bodies(made.trials[0]!.ids, 4_000, 5)
  /** Submissions at a fixed rate by all participants in turn: at most so many seconds. */
  const submit = (seconds: number) => {
    const plans = Array.from({ length: Math.ceil((RATE * seconds) / PEOPLE) }, () => {
      const next = occurrence()
      return submissionsTo(server, made.key, made.trials[0]!, texts, { seed: next, occurrence: next })
    })
    const paths = plans.flatMap((each) => each.paths)
    const plan: Plan = { ...plans[0]!, paths, requests: RATE * seconds, concurrency: 32, rate: RATE }
    return run<LoadFigures>('load.ts', [], plan)
  }
  await submit(WARM_S).result
  const alone = await submit(ALONE_S).result
  await idle(server.pid, 120_000)
  const before = memory('VmHWM', server.pid)
  const client = submit(900)
  const began = performance.now()
  const bytes = await download(server, made, query)
  const took = (performance.now() - began) / 1000
  client.end()
  const beside = await client.result
  if (alone.failed || beside.failed) throw new Error(`submissions failed: ${alone.firstFailure ?? beside.firstFailure}`)
  const peak = memory('VmHWM', server.pid)
  await server.stop()
  console.error(
    `        ${query}: ${took.toFixed(1)} s, ${before.toFixed(0)} to ${peak.toFixed(0)} MB, p99 ${alone.p99.toFixed(1)} to ${beside.p99.toFixed(1)} ms`,
  )
  return { took, before, peak, megabytes: bytes / 1e6, alone: alone.p99, beside: beside.p99 }
}

export async function measureFormats({ quick, rounds }: Settings): Promise<Table[]> {
  const days = quick ? [1, 10] : [10, 100]
  const queries = Object.values(formats)
  /** Of each format, a round after the other. */
  const [few, many] = days.map(() => queries.map((): Figures[] => [])) as [Figures[][], Figures[][]]
  for (let round = 0; round < rounds; round++)
    for (const [size, results] of [few, many].entries()) {
      const stored = days[size]!
      const copy = copyCached<SeededDirectory>(
        await cachedFolder(`responses-${stored * PEOPLE}`, 'stored.ts', [PEOPLE, stored, 200]),
      )
      let occurrence = stored
      for (const [at, query] of queries.entries())
        results[at]!.push(await exportOnce(copy.data, copy.made, query, () => occurrence++))
      copy.remove()
    }
  const [less, more] = days.map((each) => (each * PEOPLE).toLocaleString('en'))
  const rows = Object.keys(formats).flatMap((name, at) => {
    const [small, large] = [few[at]!, many[at]!]
    const of = (list: Figures[], figure: (each: Figures) => number) => list.map(figure)
    return [
      comparison(
        `${name}: took`,
        ' s',
        of(small, (f) => f.took),
        of(large, (f) => f.took),
      ),
      comparison(
        `${name}: size`,
        ' MB',
        of(small, (f) => f.megabytes),
        of(large, (f) => f.megabytes),
      ),
      comparison(
        `${name}: memory before`,
        ' MB',
        of(small, (f) => f.before),
        of(large, (f) => f.before),
      ),
      comparison(
        `${name}: peak memory`,
        ' MB',
        of(small, (f) => f.peak),
        of(large, (f) => f.peak),
      ),
      comparison(
        `${name}: p99 of submissions alone and beside ${more}`,
        ' ms',
        of(large, (f) => f.alone),
        of(large, (f) => f.beside),
        { ratio: { most: 2 } },
      ),
    ]
  })
  const title = `Exports while ${RATE} participants a second submit`
  return [{ title, columns: ['what', `${less}, or alone`, `${more}, or beside it`, 'ratio', 'aim'], rows }]
}
