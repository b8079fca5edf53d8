/** The parts of the benchmark. Each measures Trialbox and its floor by turns. */
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExportFigures } from './exports'
import type { LoadFigures, Plan } from './load'
import type { ListFigures } from './participants'
import {
  comparison,
  figure,
  freshFolder,
  knowsMemory,
  median,
  memory,
  outcome,
  type Row,
  removeFolder,
  type Settings,
  start,
  startScript,
} from './run'
import type { Seeded } from './seed'
import { bodies } from './work'

const milliseconds = ' ms'

/** W20, durable, with 1, 8 and 32 requests at a time, and at a fixed rate of 1,000 a second. */
export async function submissions({ quick, rounds }: Settings): Promise<Row[]> {
  const share = quick ? 0.2 : 1
  const loads: { name: string; plan: Pick<Plan, 'concurrency' | 'requests' | 'warm' | 'rate'> }[] = [
    { name: '1 at a time', plan: { concurrency: 1, requests: 5_000 * share, warm: 3_000 * share } },
    { name: '8 at a time', plan: { concurrency: 8, requests: 16_000 * share, warm: 2_000 * share } },
    { name: '32 at a time', plan: { concurrency: 32, requests: 24_000 * share, warm: 2_000 * share } },
    { name: '1,000/s', plan: { concurrency: 64, requests: 6_000 * share, warm: 1_000 * share, rate: 1_000 } },
  ]
  type Kind = 'floor' | 'ours'
  const measured = loads.map(() => ({ floor: [] as LoadFigures[], ours: [] as LoadFigures[] }))
  for (let round = 0; round < rounds; round++) {
    const folders = { floor: freshFolder(), ours: freshFolder() }
    const servers = {
      floor: await startScript('floor.ts', folders.floor),
      ours: await startScript('ours.ts', folders.ours),
    }
    const { port, key, trial, ids, stage, people } = JSON.parse(servers.ours.out) as Seeded & { port: number }
    const common = { host: '127.0.0.1', method: 'PUT', bodies: bodies(ids, 4_000, round + 1) }
    const [t, s] = ['c', 'd'].map((letter) => letter.repeat(24))
    const plans: Record<Kind, Omit<Plan, 'concurrency' | 'requests' | 'warm'>> = {
      floor: {
        ...common,
        port: JSON.parse(servers.floor.out).port,
        headers: { Authorization: 'Bearer floor' },
        paths: people.map((_, at) => `/trials/${t}/participants/p${at}/responses/${s}`),
      },
      ours: {
        ...common,
        port,
        headers: { Authorization: `Bearer ${key}` },
        paths: people.map((_id) => `/trials/${trial}/participants/${_id}/responses/${stage}`),
      },
    }
    for (const [at, { plan }] of loads.entries()) {
      const order: Kind[] = round % 2 ? ['ours', 'floor'] : ['floor', 'ours']
      for (const kind of order) {
        const got = await outcome<LoadFigures>('load.ts', [], { ...plans[kind], ...plan })
        if (got.failed) throw new Error(`${got.failed} requests of ${kind} failed: ${got.firstFailure}`)
        measured[at]![kind].push(got)
      }
    }
    await Promise.all([servers.floor.stop(), servers.ours.stop()])
    for (const folder of Object.values(folders)) removeFolder(folder)
  }
  return loads.flatMap(({ name, plan }, at) => {
    const row = (what: string, unit: string, of: (each: LoadFigures) => number) =>
      comparison(`submissions, ${name}: ${what}`, unit, measured[at]!.floor.map(of), measured[at]!.ours.map(of))
    const latencies = [row('p50', milliseconds, ({ p50 }) => p50), row('p99', milliseconds, ({ p99 }) => p99)]
    return plan.rate === undefined ? [row('rate', '/s', ({ perSecond }) => perSecond), ...latencies] : latencies
  })
}

/** A page of 80 participants. */
export async function participants({ quick, rounds }: Settings): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of quick ? [10_000] : [10_000, 100_000]) {
    const runs: ListFigures[] = []
    for (let round = 0; round < rounds; round++) {
      const folder = freshFolder()
      runs.push(await outcome<ListFigures>('participants.ts', [folder, `${count}`]))
      removeFolder(folder)
    }
    for (const page of ['first', 'last', 'any'] as const)
      for (const share of ['p50', 'p99'] as const) {
        const what = `${page} page of ${count.toLocaleString('en')} participants: ${share}`
        const of = (kind: 'floor' | 'ours') => runs.map((run) => run[page][kind][share])
        rows.push(comparison(what, milliseconds, of('floor'), of('ours')))
      }
  }
  return rows
}

/** Responses of twenty fields as csv and as a workbook. */
export async function exporting({ quick, rounds }: Settings): Promise<Row[]> {
  const count = quick ? 20_000 : 100_000
  const folder = freshFolder()
  const database = join(folder, 'bench.db')
  await outcome('exports.ts', ['fill', database, `${count}`])
  const rows: Row[] = []
  for (const format of ['csv', 'excel']) {
    const [floor, ours]: [ExportFigures[], ExportFigures[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      floor.push(await outcome('exports.ts', ['read', database]))
      ours.push(await outcome('exports.ts', ['write', database, `${count}`, format]))
    }
    const name = `${count.toLocaleString('en')} responses as ${format}`
    const row = (what: string, unit: string, of: (each: ExportFigures) => number) =>
      comparison(`${name}: ${what}`, unit, floor.map(of), ours.map(of))
    rows.push(
      row('rate', ' rows/s', ({ perSecond }) => perSecond),
      row('peak memory', ' MB', ({ peak }) => peak),
    )
  }
  removeFolder(folder)
  return rows
}

/** Builds both executables for this run. */
async function buildBoth(folder: string) {
  const build = Bun.spawn([process.execPath, join(import.meta.dir, '../build.ts'), '--out', folder], {
    stdout: 'ignore',
  })
  if (await build.exited) throw new Error('the executable cannot be built')
  const bare = join(folder, 'bare')
  const { success } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'bare.ts')],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: { outfile: bare, autoloadDotenv: false, autoloadBunfig: false },
  })
  if (!success) throw new Error('the bare executable cannot be built')
  return { trialbox: join(folder, 'trialbox'), bare }
}

/** Milliseconds from the start of a program to its first answer. */
async function startAndTime(command: readonly string[]) {
  const begin = performance.now()
  const server = await start(command)
  const url = /http:\/\/[\d.]+:\d+/.exec(server.out)![0]
  const answer = await fetch(`${url}/health`)
  await answer.text()
  return { ...server, url, took: performance.now() - begin }
}

/** The time from the start to the first response, and the memory of an idle server. */
export async function starting({ quick, rounds }: Settings): Promise<Row[]> {
  const folder = freshFolder()
  const { trialbox, bare } = await buildBoth(folder)
  const serving = (data: string) => [trialbox, 'serve', '--tls', 'off', '--port', '0', '--data', data]
  const took = { bare: [] as number[], empty: [] as number[], existing: [] as number[] }
  const idle = { bare: [] as number[], ours: [] as number[] }
  const times = quick ? 3 : Math.max(10, rounds)
  for (let at = -1; at < times; at++) {
    const data = join(folder, `data-${at}`)
    for (const [kind, command] of [
      ['bare', [bare]],
      ['empty', serving(data)],
      ['existing', serving(data)],
    ] as const) {
      const server = await startAndTime(command)
      if (at >= 0) took[kind].push(server.took)
      if (at >= 0 && at < rounds && kind !== 'empty') {
        await Bun.sleep(1_500)
        idle[kind === 'bare' ? 'bare' : 'ours'].push(memory('VmRSS', server.pid))
      }
      await server.stop()
      // An account, as any directory in use has one: without an account, a start makes a link to set up the first.
      const account = ['--data', data, '--email', 'ann@example.org', '--name', 'Ann', '--team', 'Team']
      if (kind === 'empty') Bun.spawnSync([trialbox, 'users', 'add', ...account])
    }
  }
  removeFolder(folder)
  return [
    comparison('start to first answer, empty directory', milliseconds, took.bare, took.empty),
    comparison('start to first answer, existing directory', milliseconds, took.bare, took.existing),
    comparison('idle memory', ' MB', idle.bare, idle.ours),
  ]
}

/** Uploads one large file over HTTP. Ours also checks its size and SHA-256, and flushes it to the disk. */
export async function uploading({ quick, rounds }: Settings): Promise<Row[]> {
  const size = (quick ? 0.125 : 1) * 1024 ** 3
  const folder = freshFolder()
  const { trialbox, bare } = await buildBoth(folder)
  const source = join(folder, 'source')
  writeFileSync(source, '')
  truncateSync(source, size)
  const seconds = { bare: [] as number[], ours: [] as number[] }
  const growth = { bare: [] as number[], ours: [] as number[] }
  const put = async (kind: 'bare' | 'ours', pid: number, url: string) => {
    const before = memory('VmRSS', pid)
    const begin = performance.now()
    const answer = await fetch(url, { method: 'PUT', body: Bun.file(source), headers: { 'Content-Type': 'video/mp4' } })
    if (!answer.ok) throw new Error(await answer.text())
    seconds[kind].push((performance.now() - begin) / 1000)
    growth[kind].push(memory('VmHWM', pid) - before)
  }
  for (let round = 0; round < rounds; round++) {
    const target = join(folder, 'target')
    const floor = await start([bare, target])
    await put('bare', floor.pid, `${/http:\S+/.exec(floor.out)![0]}/target`)
    await floor.stop()
    if (statSync(target).size !== size) throw new Error('the floor did not take the whole file')
    rmSync(target)

    const server = await start([trialbox, 'serve', '--test', '--port', '0'])
    const { url, apiKey, team } = JSON.parse(server.out)
    const query = `name=a.mp4&size=${size}&type=video/mp4&forType=team&forId=${team}`
    const headers = { Authorization: `Bearer ${apiKey}` }
    const link = (await (await fetch(`${url}/uploads/video/request?${query}`, { headers })).json()) as {
      signedRequestURL: string
    }
    await put('ours', server.pid, link.signedRequestURL)
    await server.stop()
  }
  removeFolder(folder)
  const name = `upload of ${size / 1024 ** 2} MB`
  const growthRow: Row = {
    what: `${name}: memory growth`,
    floor: figure(growth.bare, ' MB'),
    ours: figure(growth.ours, ' MB'),
    ratio: knowsMemory ? `${(median(growth.ours) - median(growth.bare)).toFixed(0)} MB more` : '',
  }
  return [comparison(`${name}: time`, ' s', seconds.bare, seconds.ours), growthRow]
}
