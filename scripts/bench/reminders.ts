/**
 * Measures how long other requests wait while everybody's reminder is due at one moment:
 * `bun scripts/bench/reminders.ts [participants] [occurrences]`. Prints milliseconds. The clock of the service is ahead of that of
 * the machine, so it has no server of its own.
 */
import { newId } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { ownService } from './ownService'

const [people = 10_000, occurrences = 100] = process.argv.slice(2).map(Number)
const { services, db, clock, team, call, advance, close } = ownService()

/** Sends reads and writes of other users while `work` runs. Returns how many milliseconds each took. */
async function others(trial: string, work: Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isDone = false
  void work.then(() => (isDone = true))
  for (let i = 0; !isDone; i++) {
    await Bun.sleep(1)
    const started = performance.now()
    if (i % 2) await call('GET', `/trials/${trial}/participants?page=3`)
    else await call('PUT', `/trials/${trial}`, { description: `note ${i}` })
    waits.push(performance.now() - started)
  }
  return waits.sort((a, b) => a - b)
}

function report(what: string, waits: number[], took: number): void {
  const at = (part: number) => waits[Math.min(waits.length - 1, Math.floor(part * waits.length))]!.toFixed(1)
  const [p50, p99, most] = [at(0.5), at(0.99), at(1)]
  console.log(`${what}: ${took.toFixed(0)} ms; others (${waits.length}) p50 ${p50}, p99 ${p99}, most ${most}`)
}

async function measure(what: string, trial: string, begin: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  const waits = await others(trial, begin())
  report(what, waits, performance.now() - started)
}

const trial = (await call('POST', `/teams/${team}/trials`, { name: 'Large' }))._id
await call('POST', `/trials/${trial}/stages`, {
  name: 'Diary %n',
  isRecurring: true,
  recurringFrequency: 1,
  recurringDuration: occurrences,
  reminders: [{ hour: 5, title: 'Diary', body: 'Please fill in your diary.', sendVia: ['email'] }],
})
db.$client.transaction(() => {
  const insert = db.$client.query(
    `INSERT INTO participants (_id, createdAt, trial, id, idSort, email) VALUES (?, ?, ?, ?, ?, 'p@example.org')`,
  )
  for (let i = 0; i < people; i++) insert.run(newId(clock.now()), clock.now(), trial, `P-${i}`, `p-${i}`)
})()
await services.tick()
await measure('reminders', trial, async () => {
  advance(5 * HOUR)
  await services.tick()
})
const sent = db.$client.query('SELECT count(*) AS n FROM outbox').get() as { n: number }
console.log(`${sent.n} reminders to ${people} participants`)
close()
