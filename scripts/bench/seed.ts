/**
 * Makes the data directories that the benchmark begins with: a team, a key, and trials with participants and the stage of W20.
 * Besides `stored.ts`, this is the only file of the benchmark that writes tables of Trialbox. As a script:
 * `seed.ts <folder> <trials> <participants> <occurrences> [varied]`, it makes them and writes what is in them to `made.json`;
 * with `varied`, participants are of every kind that the list can filter by.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { sortId } from '#conduct/participants/rules'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { dataTypes as dataTypeTable, groups, participantGroups, participants, trials } from '#db/tables/index'
import { insertStage, stageDefaults } from '#design/stages/store'
import type { Format } from '#kernel/formats'
import { type Id, newId } from '#kernel/id'
import { DAY, type Instant, systemClock } from '#kernel/time'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openService, type Service } from '#server/service'
import { program } from '#start/program'
import { components, dataTypes } from './work'

/** A trial with the `_id`s of its stage, its data types in the order of the stage, its participants, and its group if it has one. */
export type SeededTrial = { trial: Id; stage: Id; ids: Id[]; people: Id[]; group: Id | undefined }
/** What is in a data directory. `key` is an API key of the owner of everything. */
export type SeededDirectory = { key: string; team: Id; user: Id; trials: SeededTrial[] }

type Options = {
  trials: number
  participants: number
  /** When participants were registered. */
  since: Instant
  /** The stage recurs daily so often; 0 or none: it does not recur. */
  occurrences?: number
  /** Participants of every kind that the list can filter by. Without it, nobody is ever behind schedule. */
  isVaried?: boolean
}

/** Every kind in realistic proportions. */
const ofEveryKind = (at: number, now: Instant) => ({
  isArchived: at % 20 === 0,
  isUnallocated: at % 7 === 0,
  isWithdrawn: at % 33 === 0,
  joinedAt: at % 3 ? now : null,
  lastSeenAt: at % 3 ? now - (at % 90) * DAY : null,
})
const isInGroup = (at: number) => at % 4 === 0

function seedTrial(db: Db, team: Id, number: number, { participants: count, since, ...options }: Options): SeededTrial {
  const trial = newId(since)
  insert(db, trials, { _id: trial, createdAt: since, team, name: 'Trial', code: `bench-${number}` })
  const ids = dataTypes.map(({ name, format, ...settings }) => {
    const _id = newId(since)
    const code = name.replaceAll(' ', '_')
    insert(db, dataTypeTable, { _id, createdAt: since, trial, name, code, format: format as Format, settings })
    return _id
  })
  const { occurrences, isVaried } = options
  const group = isVaried ? newId(since) : undefined
  if (group) insert(db, groups, { _id: group, createdAt: since, trial, name: 'Diary', colour: null })
  // If all are exempt from being behind schedule, the age of a kept database changes nothing. Of varied ones, the group is behind.
  const schedule = group ? { availableToGroups: [group] } : { exemptFromBehindStatus: true }
  const recurring = occurrences && { isRecurring: true, recurringFrequency: 1, recurringDuration: occurrences }
  const stage = { ...stageDefaults, _id: newId(since), createdAt: since, trial, index: 0, components: components(ids) }
  insertStage(db, { ...stage, ...schedule, ...recurring, name: occurrences ? 'Diary %n' : 'Diary' })
  const people = Array.from({ length: count }, (_, at) => {
    // One after another, so that the _ids of a trial are in the order of registration, as in use.
    const createdAt = since + (number * count + at) * 1_000
    const id = `P-${String(at).padStart(6, '0')}`
    const row = { _id: newId(createdAt), createdAt, trial, id, idSort: sortId(id) }
    insert(db, participants, { ...row, ...(isVaried ? ofEveryKind(at, systemClock.now()) : {}) })
    if (group && isInGroup(at)) insert(db, participantGroups, { participant: row._id, group })
    return row._id
  })
  return { trial, stage: stage._id, ids, people, group }
}

/** Fills an empty service. The stored progress of participants is up to date afterwards. */
export async function seed({ services }: Service, options: Options): Promise<SeededDirectory> {
  const { db, commit } = services
  const now = options.since
  const owner = { email: 'owner@example.org', name: 'Owner', team: 'Team', passwordHash: null, now }
  const { team, user } = await commit(() => insertOwner(db, owner))
  const { key } = await commit(() => insertApiKey(db, { user, name: 'bench', now }))
  const seeded: SeededTrial[] = []
  for (let number = 0; number < options.trials; number++)
    seeded.push(await commit(() => seedTrial(db, team, number, options)))
  await services.tick()
  return { key, team, user, trials: seeded }
}

/** Opens a new data directory, as `trialbox serve` does, fills it, and writes `made.json` into the folder above it. */
export async function makeDirectory<T>(folder: string, fill: (service: Service) => Promise<T>): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { directory, lock, markUsed } = openDataDirectory(join(folder, 'data'))
  const service = openService(program, {
    directory: directory.root,
    storageKey: directory.keysFor('storage'),
    clock: systemClock,
    publicUrl: 'http://localhost',
    version: '0.0.0+bench',
  })
  markUsed()
  const made = await fill(service)
  service.close()
  lock.release()
  writeFileSync(join(folder, 'made.json'), JSON.stringify(made))
}

if (import.meta.main) {
  const [folder, trials, people, occurrences, kinds] = process.argv.slice(2) as [
    string,
    string,
    string,
    string,
    string?,
  ]
  const options = {
    ...{ trials: Number(trials), participants: Number(people), occurrences: Number(occurrences) },
    since: systemClock.now() - 5 * DAY,
    isVaried: kinds === 'varied',
  }
  await makeDirectory(folder, (service) => seed(service, options))
  console.log('{}')
  process.exit(0)
}
