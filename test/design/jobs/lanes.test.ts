/** Where work is performed: files of strangers in processes, exports several at a time, and nothing of either on the main thread. */
import { describe, expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'
import { laneOf } from '#jobs/kind'
import { openLane } from '#jobs/lane'
import type { FromWorker, StartPerformer } from '#jobs/messages'
import { jobKinds } from '#start/jobKinds'

/** Starts that perform nothing by themselves: the test answers. */
function byHand() {
  const begun: { id: number; answer(message: FromWorker): void; fail(problem: Error): void; isEnded: boolean }[] = []
  const start: StartPerformer = ({ onMessage, onEnd }) => {
    let current: (typeof begun)[number] | undefined
    return {
      post(message) {
        if (!('task' in message)) return
        current = { id: message.id, answer: onMessage, fail: onEnd, isEnded: false }
        begun.push(current)
      },
      end() {
        if (current) current.isEnded = true
      },
    }
  }
  return { start, begun }
}

const setup = { setup: { database: '', exports: '', files: '', storageKey: '' } }
const task = { kind: 'any', input: {} }

describe('a lane', () => {
  test('performs as many tasks at a time as it has room for, the others in their order', async () => {
    const { start, begun } = byHand()
    const lane = openLane({ start, size: 3, mostWaiting: 10 }, setup)
    const results = Array.from({ length: 5 }, () => lane.perform(task))
    expect(begun).toHaveLength(3)
    begun[1]!.answer({ id: begun[1]!.id, result: { n: 2 } })
    expect(await results[1]!).toEqual({ n: 2 })
    expect(begun).toHaveLength(4)
    expect(begun.some(({ isEnded }) => isEnded)).toBe(false)
  })

  test('of fresh performers ends each with its task, and starts another for the next', async () => {
    const { start, begun } = byHand()
    const lane = openLane({ start, size: 1, isFresh: true, mostWaiting: 10 }, setup)
    const [first, second] = [lane.perform(task), lane.perform(task)]
    expect(begun).toHaveLength(1)
    begun[0]!.answer({ id: begun[0]!.id, result: {} })
    await first
    expect(begun.map(({ isEnded }) => isEnded)).toEqual([true, false])
    begun[1]!.fail(new Error('killed'))
    await expect(second).rejects.toThrow('killed')
    void lane.perform(task)
    expect(begun).toHaveLength(3)
  })

  test('serves each account in its turn, however much one of them asks for', async () => {
    const { start, begun } = byHand()
    const lane = openLane({ start, size: 2, mostWaiting: 100 }, setup)
    const order: string[] = []
    const ask = (by: string, what: string) => void lane.perform({ ...task, by }).then(() => order.push(what))
    for (let n = 1; n <= 4; n++) ask('anna', `anna ${n}`)
    ask('ben', 'ben 1')
    ask('ben', 'ben 2')
    for (let n = 0; n < 6; n++) {
      begun[n]!.answer({ id: begun[n]!.id, result: {} })
      await Bun.sleep(0)
    }
    expect(order).toEqual(['anna 1', 'ben 1', 'anna 2', 'ben 2', 'anna 3', 'anna 4'])
  })

  test('keeps a performer for others, however long the tasks of one account take', async () => {
    const { start, begun } = byHand()
    const lane = openLane({ start, size: 3, mostWaiting: 100 }, setup)
    const anna = Array.from({ length: 5 }, () => lane.perform({ ...task, by: 'anna' }))
    expect(begun).toHaveLength(2)
    const ben = lane.perform({ ...task, by: 'ben' })
    expect(begun).toHaveLength(3)
    begun[2]!.answer({ id: begun[2]!.id, result: { n: 1 } })
    expect(await ben).toEqual({ n: 1 })
    expect(begun).toHaveLength(3)
    begun[0]!.answer({ id: begun[0]!.id, result: {} })
    await anna[0]
    expect(begun).toHaveLength(4)
  })

  test('tells whose task could not be started, and goes on with the next', async () => {
    const { start, begun } = byHand()
    let fails = true
    const lane = openLane(
      {
        start: (listener) => {
          if (fails) throw new Error('no more processes')
          return start(listener)
        },
        size: 1,
        mostWaiting: 10,
      },
      setup,
    )
    await expect(lane.perform(task)).rejects.toThrow('no more processes')
    fails = false
    const result = lane.perform(task)
    begun[0]!.answer({ id: begun[0]!.id, result: { n: 1 } })
    expect(await result).toEqual({ n: 1 })
  })

  test('refuses what would wait behind too much, and sooner for one account alone', async () => {
    const { start } = byHand()
    const lane = openLane({ start, size: 1, mostWaiting: 8 }, setup)
    const ask = (by: string) => lane.perform({ ...task, by })
    for (const by of ['anna', 'anna', 'anna']) void ask(by)
    await expect(ask('anna')).rejects.toMatchObject({ status: 503 })
    for (const by of ['ben', 'ben', 'carl', 'carl', 'dora', 'dora']) void ask(by)
    await expect(ask('emil')).rejects.toMatchObject({ status: 503 })
  })
})

/** What reads files that people sent, by what a source says. */
const READERS =
  /from '(?:mammoth|unpdf|xlsx|csv-parse)|import\('(?:mammoth|unpdf|xlsx|csv-parse)|Bun\.XML|#writers\/unzip|\.\/unzip/

/** Every source that is loaded with this one, without those that are imported when they are needed. */
async function loadedWith(paths: string[], found = new Map<string, string>()): Promise<Map<string, string>> {
  for (const path of paths) {
    if (found.has(path)) continue
    const source = await Bun.file(join('src', path)).text()
    found.set(path, source)
    const specifiers = [...source.matchAll(/\bfrom '([#.][^']+)'|\bimport '([#.][^']+)'/g)].map(
      (each) => each[1] ?? each[2]!,
    )
    const files = specifiers.map((each) =>
      each.startsWith('#') ? each.slice(1) : normalize(join(dirname(path), each)),
    )
    const known = await Promise.all(
      files
        .flatMap((file) => [file, `${file}.ts`, `${file}.tsx`])
        .map(async (each) => ((await Bun.file(join('src', each)).exists()) && /\.tsx?$/.test(each) ? [each] : [])),
    )
    await loadedWith(known.flat(), found)
  }
  return found
}
const readersIn = (found: Map<string, string>) =>
  [...found].flatMap(([path, source]) => (READERS.test(source) ? [path] : []))

test('what reads documents and imports is not loaded by the main thread', async () => {
  const jobFiles = [...new Glob('{design,conduct,office,exchange}/**/job.ts').scanSync('src')]
  const main = await loadedWith(['server/service.ts', 'start/app.ts', 'start/jobKinds.ts', ...jobFiles])
  expect(main.size).toBeGreaterThan(200)
  expect(readersIn(main)).toEqual([])
})

test('each kind is listed with its own name and lane', async () => {
  expect(jobKinds.size).toBeGreaterThan(8)
  for (const [name, { lane, load }] of jobKinds) {
    const kind = await load()
    expect({ name, lane }).toEqual({ name: kind.kind, lane: kind.by === 'worker' ? kind.lane : 'background' })
  }
})

test('a kind of job that loads what reads documents is performed by a process', async () => {
  const ours = [...(await Bun.file('src/start/jobKinds.ts').text()).matchAll(/import\('#([^']+)'\)/g)]
  const jobFiles = (await loadedWith(ours.map(([, path]) => `${path}.ts`))).entries()
  const lanes: Record<string, boolean> = {}
  for (const [path, source] of jobFiles) {
    const kinds = source.matchAll(/const (\w+) = workerKind\(\{[\s\S]*?import\('(\.\/\w+)'\)/g)
    for (const [, kind, work] of kinds) {
      lanes[kind!] = readersIn(await loadedWith([`${normalize(join(dirname(path), work!))}.ts`])).length > 0
    }
  }
  const threads = [...jobKinds].flatMap(([kind, { lane }]) => (lane === 'background' ? [] : [kind]))
  expect(Object.keys(lanes).sort()).toEqual(threads.sort())
  delete lanes.exportStructure // it reads what it wrote itself, to see what the format could not say
  const inProcess = ['imports', 'generation']
  for (const [kind, reads] of Object.entries(lanes))
    expect({ kind, reads }).toEqual({ kind, reads: inProcess.includes(laneOf(jobKinds.get(kind))!) })
})
