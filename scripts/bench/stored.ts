/**
 * Makes a data directory with many responses, day by day and in random order within a day, as a study collects them:
 * `stored.ts <folder> <participants> <days> <occurrences>`. Each goes through the function that performs submissions and has its
 * entry in the audit trail, so that `trialbox verify` accepts the result; requests and the disk's flushes are left out.
 */
import { appendEntry } from '#audit/append'
import { submitAndSetAnchors } from '#conduct/responses/submission'
import { recalculateDue } from '#conduct/timeline/progress'
import { configuration } from '#design/configuration/configuration'
import { noHiddenFields } from '#design/hiddenFields/hiddenFields'
import { trialById } from '#design/trials/store'
import { newId } from '#kernel/id'
import { DAY, type Instant, systemClock } from '#kernel/time'
import type { Service } from '#server/service'
import { makeDirectory, type SeededDirectory, seed } from './seed'
import { bodies, shuffled } from './work'

type SentAnswers = Record<string, { value: unknown }>
const A_COMMIT = 5_000

/** Every participant submits the occurrence of that day. Commits by the thousand. */
async function fillDay({ services }: Service, seeded: SeededDirectory, day: number, begin: Instant, texts: string[]) {
  const { db, commit } = services
  const { trial, stage, people } = seeded.trials[0]!
  const order = shuffled(people, day + 1)
  const by = { _id: seeded.user, type: 'user' as const }
  const client = { address: '192.0.2.1', device: 'bench' }
  for (let from = 0; from < order.length; from += A_COMMIT) {
    await commit(() => {
      const row = trialById(db, trial)!
      const config = configuration(db, row)
      for (const [at, participant] of order.slice(from, from + A_COMMIT).entries()) {
        const now = begin + ((from + at) * DAY) / order.length
        const { response: sent, updateNote } = JSON.parse(texts[(from + at + day) % texts.length]!) as {
          response: SentAnswers
          updateNote: string
        }
        const submission = { db, now: Math.floor(now), zone: 'UTC', trial, participant, client, id: () => newId(now) }
        const { event } = submitAndSetAnchors({
          ...submission,
          ...{ configuration: config, stage, stageRecurrence: day, existing: undefined, sent },
          ...{ hidden: noHiddenFields, by, updateNote },
        })
        const params = { trialId: trial, participantId: participant, stageId: `${stage}::${day}` }
        const actor = { userType: 'user' as const, user: seeded.user, userEmail: 'owner@example.org', ...client }
        const entry = { createdAt: submission.now, type: 'submitResponse', event: { ...params, ...event } }
        appendEntry(db, { chain: trial, participant, ...actor, ...entry })
      }
    })
  }
}

/** Fills an empty service with the responses of the first `days` days, and brings everybody's progress up to date. */
export async function fillStored(
  service: Service,
  { people, days, occurrences }: Record<'people' | 'days' | 'occurrences', number>,
  onProgress: (line: string) => void = () => {},
): Promise<SeededDirectory> {
  const { db, commit } = service.services
  // A directory that is not made to its end is made anew, so nothing needs to be durable meanwhile. Every row exists to which another
  // one refers, and `trialbox verify` would say so if not.
  for (const pragma of [
    'synchronous = OFF',
    'foreign_keys = OFF',
    'cache_size = -2000000',
    'wal_autocheckpoint = 100000',
  ])
    db.$client.run(`PRAGMA ${pragma}`)
  const since = systemClock.now() - (days + 10) * DAY
  const seeded = await seed(service, { trials: 1, participants: people, since, occurrences })
  const texts = bodies(seeded.trials[0]!.ids, 2_000, 1)
  for (let day = 0; day < days; day++) {
    await fillDay(service, seeded, day, since + (day + 1) * DAY, texts)
    if ((day + 1) % Math.ceil(days / 5) === 0)
      onProgress(`        ${((day + 1) * people).toLocaleString('en')} responses`)
  }
  while (await commit(() => recalculateDue(db, systemClock.now())));
  return seeded
}

if (import.meta.main) {
  const [folder, ...numbers] = process.argv.slice(2) as [string, ...string[]]
  const [people, days, occurrences] = numbers.map(Number) as [number, number, number]
  await makeDirectory(folder, (service) => fillStored(service, { people, days, occurrences }, console.error))
  console.log('{}')
  process.exit(0)
}
