/**
 * Measures how long other requests wait while many participants are deleted in one request, while they are purged, and while a trial is
 * purged: `bun scripts/bench/deletions.ts [deleted] [participants] [responses]`. Prints milliseconds. The clock of the service is ahead of
 * that of the machine, so it has no server of its own.
 */
import { DAY } from '#kernel/time'
import { percentile } from './figures'
import { ownService } from './ownService'

const [deleted = 1_000, participants = 5_000, responses = 20] = process.argv.slice(2).map(Number)
const { services, db, team, call, advance, close } = ownService()
const { tick } = services

/** A trial with participants, each with responses to a stage that recurs daily. */
async function makeTrial(name: string, count: number) {
  const { _id: trial } = await call('POST', `/teams/${team}/trials`, { name })
  const field = { name: 'Pulse', code: 'pulse', format: 'integer' }
  const { _id: pulse } = await call('POST', `/trials/${trial}/data-types`, field)
  const component = { id: 'pulse', dataType: pulse, title: 'Pulse' }
  const recurring = { isRecurring: true, recurringFrequency: 1, recurringDuration: responses + 1 }
  const { _id: stage } = await call('POST', `/trials/${trial}/stages`, {
    name: 'Diary %n',
    components: [component],
    ...recurring,
  })
  const people: string[] = []
  for (let from = 0; from < count; from += 1_000) {
    const list = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({ participantId: `P-${from + n}` }))
    const made = await call<{ participants: { _id: string }[] }>('POST', `/trials/${trial}/participants`, {
      participants: list,
    })
    people.push(...made.participants.map(({ _id }) => _id))
  }
  for (let from = 0; from < people.length; from += 50)
    await Promise.all(
      people.slice(from, from + 50).flatMap((participant) =>
        Array.from({ length: responses }, (_, n) =>
          call('PUT', `/trials/${trial}/participants/${participant}/responses/${stage}::${n}`, {
            response: { [pulse]: { value: 60 } },
          }),
        ),
      ),
    )
  return { trial, people }
}

/** Sends reads and writes of another person while `work` runs, and prints how many milliseconds they took. */
async function measure(what: string, trial: string, work: () => Promise<unknown>): Promise<void> {
  const took = { GET: [] as number[], PUT: [] as number[] }
  let isOver = false
  const began = performance.now()
  const working = work().finally(() => (isOver = true))
  const send = async (method: 'GET' | 'PUT') => {
    for (let n = 0; !isOver; n++) {
      const begin = performance.now()
      await call(method, `/trials/${trial}`, method === 'PUT' ? { description: `Edit ${n}` } : undefined)
      took[method].push(performance.now() - begin)
      await Bun.sleep(2)
    }
  }
  await Promise.all([send('GET'), send('PUT'), working])
  const figures = Object.entries(took).map(
    ([method, all]) =>
      `${method} ${percentile(all, 0.5).toFixed(1)} / ${percentile(all, 0.99).toFixed(1)} / ${Math.max(...all).toFixed(1)}`,
  )
  console.log(
    `${what}: ${((performance.now() - began) / 1000).toFixed(1)} s; ${figures.join(', ')} ms (median / 99 % / longest)`,
  )
}

const isDone = (sql: string) => db.$client.query(sql).get() === null

/** Lets background tasks run until a statement finds nothing. */
const tickUntilEmpty = async (sql: string) => {
  while (!isDone(sql)) {
    await tick()
    await Bun.sleep(1)
  }
}

try {
  const other = await makeTrial('Another trial', 1)
  const some = await makeTrial('Some are deleted', deleted)
  const all = await makeTrial('All are purged', participants)
  await tick()
  await measure(`${deleted} participants deleted in one request`, other.trial, () =>
    call('DELETE', `/trials/${some.trial}/participants`, { participants: some.people, reason: 'A measurement' }),
  )
  advance(31 * DAY)
  await measure('they are purged', other.trial, () => tickUntilEmpty(`SELECT 1 FROM deletedRows LIMIT 1`))
  await call('DELETE', `/trials/${all.trial}`)
  advance(31 * DAY)
  await measure(`a trial with ${participants} participants is purged`, other.trial, () =>
    tickUntilEmpty(`SELECT 1 FROM deletions WHERE kind = 'trial' AND status <> 'purged' LIMIT 1`),
  )
} finally {
  close()
}
