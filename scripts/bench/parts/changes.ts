/** A changed stage: how long everybody's timeline takes to be brought up to date, and how long others wait meanwhile. */
import { idle } from '../accounting'
import { cachedFolder, copyCached } from '../cache'
import { comparison, comparisonTable, type Table } from '../figures'
import type { LoadFigures, Plan } from '../load'
import { run, type Settings } from '../run'
import type { SeededDirectory } from '../seed'
import { type Server, startTrialbox } from '../servers'
import { submissionsTo } from '../submissionPlans'
import { bodies } from '../work'

const OCCURRENCES = 10
/** Requests of others, a second, of each kind. */
const RATE = 100

/** Changes the stage and waits for the job that brings the timelines up to date. Returns seconds. */
async function changeStage({ url }: Server, { key, trials }: SeededDirectory, description: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const began = performance.now()
  const body = JSON.stringify({ description })
  const answer = await fetch(`${url}/stages/${trials[0]!.stage}`, { method: 'PUT', headers, body })
  const job = answer.headers.get('X-Job')
  if (!answer.ok || !job) throw new Error(`the stage was not changed, or without a job: ${await answer.text()}`)
  for (;;) {
    await Bun.sleep(50)
    const { status } = (await (await fetch(`${url}/jobs/${job}`, { headers })).json()) as { status: string }
    if (status === 'done') return (performance.now() - began) / 1000
    if (status !== 'pending') throw new Error(`the job ended with ${status}`)
  }
}

export async function changes({ quick, rounds }: Settings): Promise<Table[]> {
  const people = quick ? 10_000 : 100_000
  const copy = copyCached<SeededDirectory>(
    await cachedFolder(`timelines-${people}`, 'seed.ts', [1, people, OCCURRENCES]),
  )
  const { key, trials } = copy.made
  const server = await startTrialbox(copy.data)
  await idle(server.pid, 120_000)
  const texts = bodies(trials[0]!.ids, 1_000, 3)
  const took: number[] = []
  const others = { reads: [] as LoadFigures[], submissions: [] as LoadFigures[] }
  for (let round = 0; round < rounds; round++) {
    const pace = { concurrency: 16, rate: RATE, requests: RATE * 600 }
    const list = Array.from({ length: 100 }, (_, at) => `/trials/${trials[0]!.trial}/participants?page=${at + 1}`)
    const headers = { Authorization: `Bearer ${key}` }
    const reads: Plan = { ...pace, port: server.port, method: 'GET', headers, bodies: [], paths: list }
    const submitting = submissionsTo(server, key, trials[0]!, texts, { seed: round, occurrence: round % OCCURRENCES })
    const clients = [
      run<LoadFigures>('load.ts', [], reads),
      run<LoadFigures>('load.ts', [], { ...submitting, ...pace }),
    ]
    await Bun.sleep(500)
    took.push(await changeStage(server, copy.made, `changed ${round}`))
    for (const client of clients) client.end()
    const [read, submitted] = await Promise.all(clients.map(({ result }) => result))
    others.reads.push(read!)
    others.submissions.push(submitted!)
    const failed = [read!, submitted!].find((each) => each.failed)
    if (failed) throw new Error(`requests of others failed: ${failed.firstFailure}`)
    await idle(server.pid)
  }
  await server.stop()
  copy.remove()
  const name = `a stage changed, ${people.toLocaleString('en')} participants × ${OCCURRENCES} occurrences`
  const row = (what: string, figures: (each: LoadFigures) => number, kind: keyof typeof others, most?: number) =>
    comparison(
      `${name}: others’ ${kind}, ${RATE}/s: ${what}`,
      ' ms',
      [],
      others[kind].map(figures),
      most === undefined ? undefined : { value: { most } },
    )
  return [
    comparisonTable('A change of configuration', [
      comparison(`${name}: until all timelines are up to date`, ' s', [], took, { value: { most: 10 } }),
      ...(['reads', 'submissions'] as const).flatMap((kind) => [
        row('p50', ({ p50 }) => p50, kind),
        row('p99', ({ p99 }) => p99, kind, 15),
        row('slowest', ({ max }) => max, kind),
      ]),
    ]),
  ]
}
