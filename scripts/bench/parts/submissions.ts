/** W20, durable: first submissions and amendments, at several paces, beside the lean floor and the floor with our tables. */
import { pagesByTable, walPages } from '../accounting'
import { type Contestant, type Kind, kinds, names, PEOPLE, startContestants, type Work } from '../contestants'
import { type Bound, figure, ratioOf, ratioText, type Table, verdict } from '../figures'
import type { Settings } from '../run'
import { type Pace, type PhaseFigures, performPhase } from '../submissionPlans'

/** `isCounted`: its pages and statements are counted. `hasAim`: its rate and CPU time have one. */
type Phase = Work & { name: string; isCounted?: boolean; hasAim?: boolean }

/** @param share of the requests of a whole run; @param alone the same of those with one request at a time */
function phasesOf(share: number, alone = share): Phase[] {
  const pace = (concurrency: number, requests: number, rate?: number): Pace => ({
    concurrency,
    requests: requests * (concurrency === 1 ? alone : share),
    ...(rate ? { rate } : {}),
  })
  const [one, eight, many] = [pace(1, 6_000), pace(8, PEOPLE), pace(32, PEOPLE)]
  const both = { isCounted: true, hasAim: true }
  return [
    { name: 'first, 1 at a time', trial: 1, pace: one, ...both },
    { name: 'first, 8 at a time', trial: 2, pace: eight, ...both },
    { name: 'first, 32 at a time', trial: 3, pace: many, ...both },
    { name: 'first, 500/s', trial: 4, pace: pace(64, 5_000, 500) },
    { name: 'first, 2,000/s', trial: 5, pace: pace(64, PEOPLE, 2_000) },
    { name: 'amendments, 1 at a time', trial: 1, pace: one, amends: true, isCounted: true },
    { name: 'amendments, 8 at a time', trial: 2, pace: eight, amends: true },
    { name: 'amendments, 32 at a time', trial: 3, pace: many, amends: true, isCounted: true },
  ]
}

/** Of one server in one phase: pages of the write-ahead log and SQL statements of a submission. */
type Counts = { pages: number; statements: number; byTable: [name: string, pages: number][] }

async function count({ server, database, plan }: Contestant, work: Work): Promise<Counts> {
  const each = (count: number) => count / work.pace.requests
  const before = await server.statements()
  const pages = await walPages(database, () => performPhase(server, plan(work)))
  const statements = each((await server.statements()) - before)
  const byTable = pagesByTable(database, pages).map(([name, count]): [string, number] => [name, each(count)])
  return { pages: each(pages.length), statements, byTable }
}

/** The counts of all counted phases, by phase and server. They are counted once, apart from what is timed. */
async function countAll(phases: readonly Phase[]): Promise<Record<Kind, Counts>[]> {
  const { stop, ...all } = await startContestants(0, true)
  const counts: Record<Kind, Counts>[] = []
  for (const [at, { isCounted, ...work }] of phases.entries()) {
    if (!isCounted) continue
    const [lean, tables] = [await count(all.lean, work), await count(all.tables, work)]
    counts[at] = { lean, tables, ours: await count(all.ours, work) }
  }
  await stop()
  return counts
}

const columns = ['submissions', 'server', 'rate', 'CPU each', 'p50', 'p99', 'WAL pages each', 'statements each']

/** The rows of a phase: one for each server, and one with the ratios of Trialbox to the lean floor and the aims. */
function rowsOf(
  { name, pace, hasAim }: Phase,
  measured: Record<Kind, PhaseFigures[]>,
  counts?: Record<Kind, Counts>,
): string[][] {
  const of = (kind: Kind, figures: (each: PhaseFigures) => number) => measured[kind].map(figures)
  const count = (value: number | undefined) => value?.toFixed(1) ?? ''
  const rows = kinds.map((kind) => [
    name,
    names[kind],
    figure(
      of(kind, ({ perSecond }) => perSecond),
      '/s',
    ),
    figure(
      of(kind, ({ cpu }) => cpu),
      ' µs',
    ),
    figure(
      of(kind, ({ p50 }) => p50),
      ' ms',
    ),
    figure(
      of(kind, ({ p99 }) => p99),
      ' ms',
    ),
    count(counts?.[kind].pages),
    count(counts?.[kind].statements),
  ])
  const ratio = (figures: (each: PhaseFigures) => number) => ratioOf(of('lean', figures), of('ours', figures))
  const [rate, cpu] = [ratio(({ perSecond }) => perSecond), ratio((each) => each.cpu)]
  const aimed = (value: number, bound: Bound) =>
    `${ratioText(value)}${hasAim && !Number.isNaN(value) ? ` (${verdict(value, bound)})` : ''}`
  const own = counts?.ours
  const isShared = hasAim && pace.concurrency === 32
  return [
    ...rows,
    [
      ...[name, 'ratio to the lean floor, or aim'],
      pace.rate === undefined ? aimed(rate, { least: 0.75 }) : '',
      aimed(cpu, { most: 1.33 }),
      ratioText(ratio(({ p50 }) => p50)),
      ratioText(ratio(({ p99 }) => p99)),
      own && isShared ? verdict(own.pages, { most: 4.5 }) : '',
      own && isShared ? verdict(own.statements, { most: 12 }) : '',
    ],
  ]
}

/** Each table or index of which enough is written to be seen, with its pages in each phase. */
function tablesIn(counts: readonly Counts[]): [name: string, ...pages: number[]][] {
  const maps = counts.map(({ byTable }) => new Map(byTable))
  const names = [...new Set(counts.flatMap(({ byTable }) => byTable.map(([name]) => name)))]
  const rows = names.map((name): [string, ...number[]] => [name, ...maps.map((map) => map.get(name) ?? 0)])
  return rows.filter(([, ...pages]) => Math.max(...pages) >= 0.01)
}

export async function submissions({ quick, rounds }: Settings): Promise<Table[]> {
  const phases = phasesOf(quick ? 0.2 : 1)
  const measured = phases.map((): Record<Kind, PhaseFigures[]> => ({ lean: [], tables: [], ours: [] }))
  for (let round = 0; round < rounds; round++) {
    const all = await startContestants(round)
    for (const [at, work] of phases.entries())
      for (const kind of round % 2 ? [...kinds].reverse() : kinds)
        measured[at]![kind].push(await performPhase(all[kind].server, all[kind].plan(work)))
    await all.stop()
  }
  // At full size, since an index that is nearly empty has few pages to write.
  const counts = await countAll(phasesOf(1, 1 / 3))
  const counted = phases.flatMap(({ name, isCounted }, at) => (isCounted ? [{ name, counts: counts[at]!.ours }] : []))
  return [
    {
      title: 'Submissions of twenty fields, by participants in random order',
      columns,
      rows: phases.flatMap((each, at) => rowsOf(each, measured[at]!, counts[at])),
    },
    {
      title: 'WAL pages of a submission, by table and index',
      columns: ['table or index', ...counted.map(({ name }) => name)],
      rows: tablesIn(counted.map(({ counts }) => counts)).map(([name, ...pages]) => [
        name,
        ...pages.map((count) => count.toFixed(2)),
      ]),
    },
  ]
}
