/**
 * A million responses: submissions beside as many earlier ones against 10,000, and submissions at a fixed rate while everything
 * is exported. With `--quick` a tenth of it.
 */
import { idle, memory, walPages } from '../accounting'
import { type Copy, cachedFolder, copyCached } from '../cache'
import { comparison, comparisonTable, type Table } from '../figures'
import type { LoadFigures, Plan } from '../load'
import { run, type Settings } from '../run'
import type { SeededDirectory } from '../seed'
import { builtExecutables, type Server, startServer, startTrialbox } from '../servers'
import { type PhaseFigures, performPhase, submissionsTo } from '../submissionPlans'
import { bodies } from '../work'

const PEOPLE = 10_000
const OCCURRENCES = 200
const RATE = 500

/** A server with stored responses. Each phase submits occurrences that nobody submitted before. */
type StoredServer = {
  copy: Copy<SeededDirectory>
  server: Server
  texts: string[]
  begin: (occurrences: number) => number
}

async function startStored(days: number): Promise<StoredServer> {
  const words = [PEOPLE, days, OCCURRENCES]
  const copy = copyCached<SeededDirectory>(await cachedFolder(`responses-${days * PEOPLE}`, 'stored.ts', words))
  const server = await startTrialbox(copy.data)
  await idle(server.pid, 120_000) // timelines that changed since the database was made
  let next = days
  const begin = (occurrences: number) => {
    next += occurrences
    return next - occurrences
  }
  return { copy, server, texts: bodies(copy.made.trials[0]!.ids, 4_000, 5), begin }
}

/** Submissions of one occurrence after another by all participants in random order. */
function planOf({ copy, server, texts, begin }: StoredServer, requests: number): Omit<Plan, 'concurrency'> {
  const { key, trials } = copy.made
  const occurrences = Math.ceil(requests / PEOPLE)
  const first = begin(occurrences)
  const plans = Array.from({ length: occurrences }, (_, at) =>
    submissionsTo(server, key, trials[0]!, texts, { seed: first + at, occurrence: first + at }),
  )
  return { ...plans[0]!, paths: plans.flatMap(({ paths }) => paths), requests }
}

/** Submissions at 10,000 and at many, by turns. */
async function compareGrowth(
  { quick, rounds }: Settings,
  few: StoredServer,
  many: StoredServer,
  name: string,
): Promise<string[][]> {
  const requests = quick ? 3_000 : PEOPLE
  const paces = [1, 32].map((concurrency) => ({
    concurrency,
    few: [] as PhaseFigures[],
    many: [] as PhaseFigures[],
    pages: {} as Record<'few' | 'many', number>,
  }))
  const stored = { few, many }
  const perform = (kind: 'few' | 'many', concurrency: number, count = requests) =>
    performPhase(stored[kind].server, { ...planOf(stored[kind], count), concurrency })
  for (const kind of ['few', 'many'] as const) await perform(kind, 32, PEOPLE)
  for (let round = 0; round < rounds; round++)
    for (const pace of paces)
      for (const kind of round % 2 ? (['many', 'few'] as const) : (['few', 'many'] as const))
        pace[kind].push(await perform(kind, pace.concurrency, pace.concurrency === 1 ? requests / 5 : requests))
  for (const pace of paces)
    for (const kind of ['few', 'many'] as const) {
      const count = Math.floor(requests / 3)
      const pages = await walPages(stored[kind].copy.database, () => perform(kind, pace.concurrency, count))
      pace.pages[kind] = pages.length / count
    }
  return paces.flatMap((pace) => {
    const row = (
      what: string,
      unit: string,
      of: (each: PhaseFigures) => number,
      aim?: Parameters<typeof comparison>[4],
    ) => comparison(`${name}, ${pace.concurrency} at a time: ${what}`, unit, pace.few.map(of), pace.many.map(of), aim)
    return [
      row('rate', '/s', ({ perSecond }) => perSecond, { ratio: { least: 0.85 } }),
      row('CPU each', ' µs', ({ cpu }) => cpu, { ratio: { most: 1.18 } }),
      row('p99', ' ms', ({ p99 }) => p99),
      comparison(
        `${name}, ${pace.concurrency} at a time: WAL pages each`,
        '',
        [pace.pages.few],
        [pace.pages.many],
        pace.concurrency === 32 ? { value: { most: 4.5 } } : undefined,
      ),
    ]
  })
}

/** In seconds. */
type ExportFigures = { firstByte: number; took: number }

/** Exports everything as csv, again and again until `isOver`. Only whole exports count. */
async function exportUntil({ server, copy }: StoredServer, isOver: () => boolean): Promise<ExportFigures[]> {
  const exports: ExportFigures[] = []
  const url = `${server.url}/trials/${copy.made.trials[0]!.trial}/responses?type=csv`
  while (!isOver()) {
    const began = performance.now()
    let firstByte = Number.NaN
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${copy.made.key}` } })
    if (!answer.ok) throw new Error(await answer.text())
    for await (const _ of answer.body!) if (Number.isNaN(firstByte)) firstByte = (performance.now() - began) / 1000
    if (!isOver() || !exports.length) exports.push({ firstByte, took: (performance.now() - began) / 1000 })
  }
  return exports
}

const responsesIn = async ({ server, copy: { made } }: StoredServer): Promise<number> => {
  const headers = { Authorization: `Bearer ${made.key}` }
  const answer = await fetch(`${server.url}/trials/${made.trials[0]!.trial}`, { headers })
  return ((await answer.json()) as { responseCount: number }).responseCount
}

/** Submissions at a fixed rate while everything is exported. A lost one was confirmed and is not there. */
async function submitWhileExporting(quick: boolean, many: StoredServer): Promise<string[][]> {
  const seconds = quick ? 30 : 600
  const plan: Plan = { ...planOf(many, RATE * seconds), concurrency: 64, rate: RATE }
  const before = await responsesIn(many)
  let isOver = false
  const client = run<LoadFigures>('load.ts', [], plan)
  const [got, exports] = await Promise.all([
    client.result.finally(() => {
      isOver = true
    }),
    exportUntil(many, () => isOver),
  ])
  await idle(many.server.pid)
  const lost = got.answered - got.failed - ((await responsesIn(many)) - before)
  const name = `${RATE}/s for ${seconds} s while all is exported`
  const row = (what: string, unit: string, value: number, most?: number) =>
    comparison(`${name}: ${what}`, unit, [], [value], most === undefined ? undefined : { value: { most } })
  const each = (of: (each: ExportFigures) => number) => exports.map(of)
  return [
    row('p50', ' ms', got.p50),
    row('p99', ' ms', got.p99, 20),
    row('slowest', ' ms', got.max),
    row('refused', '', got.failed, 0),
    row('without an answer', '', got.unanswered, 0),
    row('lost', '', lost, 0),
    comparison(
      `${name}: first byte of an export`,
      ' s',
      [],
      each(({ firstByte }) => firstByte),
      { value: { most: 1 } },
    ),
    comparison(
      `${name}: an export`,
      ' rows/s',
      [],
      each(({ took }) => before / took),
    ),
    row('peak memory', ' MB', memory('VmHWM', many.server.pid)),
  ]
}

/** From the start of the executable to its first answer, on a database of this size. */
async function startOn({ rounds }: Settings, { copy }: StoredServer, name: string): Promise<string[]> {
  const { bare } = await builtExecutables()
  const took = { bare: [] as number[], ours: [] as number[] }
  Bun.spawnSync(['sync']) // a start flushes a small file, and would wait for the gigabytes of the exports too
  for (let round = 0; round < Math.max(3, rounds); round++)
    for (const kind of ['bare', 'ours'] as const) {
      const server = kind === 'bare' ? await startServer([bare]) : await startTrialbox(copy.data)
      took[kind].push(server.took)
      await server.stop()
    }
  return comparison(`start to first answer ${name}`, ' ms', took.bare, took.ours, { ratio: { most: 6 } })
}

export async function million(settings: Settings): Promise<Table[]> {
  const days = settings.quick ? 10 : 100
  const count = (days * PEOPLE).toLocaleString('en')
  const [few, many] = [await startStored(1), await startStored(days)]
  const rows = await compareGrowth(settings, few, many, 'submissions')
  await few.server.stop()
  few.copy.remove()
  const busy = await submitWhileExporting(settings.quick, many)
  await many.server.stop()
  const start = await startOn(settings, many, `with ${count} responses`)
  many.copy.remove()
  const columns = ['what', 'at 10,000', `at ${count}`, 'ratio', 'aim']
  return [
    { title: `Submissions beside ${count} responses and beside 10,000`, columns, rows },
    comparisonTable(`At ${count} responses`, [...busy, start]),
  ]
}
