/** A worker thread that fails as the file `fault` in the data directory says, and works normally without that file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyKind, KindEntry } from '#jobs/kind'
import type { WorkerSetup } from '#jobs/messages'
import { serveWork } from '#jobs/worker'
import { refuse } from '#kernel/problem'
import { jobKinds } from '#start/jobKinds'
import { unfinishedPath } from '#writers/file'

const never = () => new Promise<never>(() => {})

type Fault = (
  input: { file?: string },
  setup: WorkerSetup,
) => Record<string, unknown> | Promise<Record<string, unknown>>

const faults: Record<string, Fault> = {
  unfinished: ({ file = '' }, { exports }) => {
    writeFileSync(unfinishedPath(join(exports, file)), 'a part of it')
    return never()
  },
  defect: () => {
    throw new TypeError('undefined is not a person (evaluating "secret")')
  },
  text: () => Promise.reject('only a text'),
  disk: () => {
    throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
  },
  refusal: () => {
    throw refuse.bad('jobEnded', undefined, { moon: 'full' })
  },
  nonsense: () => ({ plan: 7, bytes: 'many' }),
  hang: never,
  exit: () => process.exit(7),
  uncaught: () => {
    setTimeout(() => {
      throw new Error('nobody caught this')
    })
    return never()
  },
}

const faulty = (kind: AnyKind): AnyKind =>
  kind.by === 'background'
    ? kind
    : {
        ...kind,
        work: async () => {
          const work = await kind.work()
          return (input, bench) => {
            const path = join(bench.setup.files, '..', 'fault')
            return existsSync(path) ? faults[readFileSync(path, 'utf8')]!(input, bench.setup) : work(input, bench)
          }
        },
      }

const faultyKinds = Array.from(jobKinds, ([name, { lane, load }]): [string, KindEntry] => [
  name,
  { lane, load: async () => faulty(await load()) },
])
serveWork(new Map(faultyKinds))
