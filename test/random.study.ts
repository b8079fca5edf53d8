/** A study for random operations: random choices from a seed, and paths to things that exist, or do not. */
import { randomFrom } from '#kernel/random'
import { parseInstant } from '#kernel/time'
import { PASSWORD, world } from './harness'
import { study } from './study'

/** Random choices from a seed. */
function choices(seed: number) {
  const { chance, pick, unit } = randomFrom(seed)
  return {
    below: (count: number) => Math.floor(unit() * count),
    chance,
    one: pick,
    some: <T>(list: readonly T[], of = 0.5): T[] => list.filter(() => chance(of)),
  }
}

/** A row of a table that refers to a participant. */
export type Row = Record<'participant' | 'stage' | 'stageRecurrence' | 'anchor', string>

export type RandomStudy = Awaited<ReturnType<typeof randomStudy>>

/** A study in a world of its own, with random choices of what is in it. */
export async function randomStudy(seed: number) {
  const random = choices(seed)
  const { below, chance, one } = random
  const w = world()
  const s = await study({ world: w, trial: { responseSigningEnabled: true } })
  const { owner, trial } = s
  const { $client: sqlite } = s.db
  let app = await w.signIn(owner)
  const base = `/trials/${trial}`
  const nurse = s.staff(trial, ['trial.write'])

  const stored = (sql: string): string[] =>
    sqlite
      .query<{ _id: string }, []>(sql)
      .all()
      .map(({ _id }) => _id)
  const all = (table: string) => stored(`SELECT _id FROM ${table} ORDER BY _id`)
  const unknownId = 'f'.repeat(24)
  /** The ID of a row, and sometimes one that does not exist. */
  const any = (table: string): string => (chance(0.03) ? unknownId : (one(all(table)) ?? unknownId))
  const moment = () => new Date(parseInstant(w.now())! / 1000 + (below(40) - 20) * 86_400_000).toISOString()
  const maybe = <T>(value: T): T | null => (chance(0.2) ? null : value)
  const person = () => `${base}/participants/${any('participants')}`
  /** The path of something that a participant has: of a row of this table. */
  const pathOf = (table: string, path: (row: Row) => string) => {
    const row = one(sqlite.query<Row, []>(`SELECT * FROM ${table}`).all())
    return row ? `${base}/participants/${row.participant}/${path(row)}` : person()
  }
  const response = () => `${base}/responses/${any('responses')}`
  /** A stage, or one of its occurrences. */
  const occurrence = () => `${any('stages')}${chance(0.5) ? '' : `::${below(4)}`}`
  /** The owner in the web app, who has just confirmed their identity; signs in again if the session has ended. */
  const confirmed = async () => {
    const confirm = () => app.call('POST', '/sessions/confirmations', { password: PASSWORD })
    if ((await confirm()).status === 401) {
      app = await w.signIn(owner)
      await confirm()
    }
    return app
  }
  /** Locks and unlocks the trial, which only the web app may do. */
  const changeTrial = async (body: unknown) => (await confirmed()).call('PUT', base, body)
  const staff = () => (chance(0.8) ? owner : nurse)
  return {
    ...random,
    world: w,
    study: s,
    sqlite,
    base,
    nurse,
    all,
    any,
    moment,
    maybe,
    person,
    pathOf,
    response,
    occurrence,
    confirmed,
    changeTrial,
    staff,
  }
}
