/** The three servers that submissions are compared on, each on a fresh directory with the same number of participants. */
import { join } from 'node:path'
import { cachedFolder, copyCached } from './cache'
import type { Plan } from './load'
import { freshFolder, removeFolder } from './run'
import type { SeededDirectory } from './seed'
import { type Server, startCounting, startFloor, startTrialbox } from './servers'
import { type Pace, performPhase, submissionsTo } from './submissionPlans'
import { bodies, shuffled } from './work'

/** Participants of a trial. */
export const PEOPLE = 10_000
/** The first trial warms the servers up; each other one is for one phase. */
const TRIALS = 6

export const kinds = ['lean', 'tables', 'ours'] as const
export type Kind = (typeof kinds)[number]
export const names: Record<Kind, string> = { lean: 'lean floor', tables: 'our tables alone', ours: 'Trialbox' }

/** All participants of one trial submit, or, if `amends`, those who did so in an earlier phase with as many requests. */
export type Work = { trial: number; pace: Pace; amends?: boolean }

/** A server, and the plan of some work for it. */
export type Contestant = { server: Server; database: string; plan(work: Work): Plan }

export type Contestants = Record<Kind, Contestant> & { stop(): Promise<void> }

/**
 * Starts and warms up the servers.
 * @param round the seed of the answers and of the order of participants
 * @param counts whether SQL statements are counted, which slows the servers down
 */
export async function startContestants(round: number, counts = false): Promise<Contestants> {
  const copy = copyCached<SeededDirectory>(await cachedFolder('participants', 'seed.ts', [TRIALS, PEOPLE, 0]))
  const { key, trials } = copy.made
  // Each trial has data types of its own; the answers are the same.
  const texts = trials.map(({ ids }) => bodies(ids, 4_000, round + 1))
  const folders = { lean: freshFolder(), tables: freshFolder() }

  /** The same participants, in an order of their own for each trial and round, and another one when they amend. */
  function planFor(server: Server, key: string, trialOf: (number: number) => Parameters<typeof submissionsTo>[2]) {
    return ({ trial, pace, amends }: Work): Plan => {
      const seed = round * TRIALS + trial
      const plan = submissionsTo(server, key, trialOf(trial), texts[trial]!, { seed })
      const paths = plan.paths.slice(0, pace.requests)
      return { ...plan, ...pace, paths: amends ? shuffled(paths, seed + 1_000) : paths }
    }
  }
  const peopleOfFloor = (trial: number) => ({
    trial: 'c'.repeat(24),
    stage: 'd'.repeat(24),
    people: Array.from({ length: PEOPLE }, (_, at) => `p${trial * PEOPLE + at}`),
  })
  async function floor(kind: 'lean' | 'tables'): Promise<Contestant> {
    const server = await startFloor(`${kind}Floor.ts`, TRIALS * PEOPLE, folders[kind], counts)
    return { server, database: join(folders[kind], 'trialbox.db'), plan: planFor(server, 'floor', peopleOfFloor) }
  }
  const server = await (counts ? startCounting : startTrialbox)(copy.data)
  const all = {
    lean: await floor('lean'),
    tables: await floor('tables'),
    ours: { server, database: copy.database, plan: planFor(server, key, (trial) => trials[trial]!) },
  }
  // All code is compiled, and all caches are filled, before anything is measured.
  const warm = { trial: 0, pace: { concurrency: 32, requests: PEOPLE } }
  for (const kind of kinds) await performPhase(all[kind].server, all[kind].plan(warm))
  return {
    ...all,
    async stop() {
      for (const kind of kinds) await all[kind].server.stop()
      copy.remove()
      for (const folder of Object.values(folders)) removeFolder(folder)
    },
  }
}
