/**
 * What `npm test` leaves to `npm run proof`, which sets TESTS_PROOF=1: files called `*.proof.test.ts`, single tests that are called
 * `proof(…)`, and three quarters of long loops. `npm run proof` runs all tests of the files that import this one. The name must
 * not begin with TRIALBOX: a server that a test starts would refuse it as an unknown setting.
 */
import { test } from 'bun:test'

export const isProof = process.env.TESTS_PROOF === '1'

/** A test of `npm run proof` only. */
export const proof = test.skipIf(!isProof)

const QUARTERS = 4
const DAY = 86_400_000

/** Another quarter each day, from 0 to 3, so that what an edit breaks is found within four days without the proof. */
const quarter = (Number(process.env.TESTS_QUARTER) || Math.floor(Date.now() / DAY)) % QUARTERS

/** For the names of tests: which part of a loop they run, and how to run it on another day. */
export const part = isProof ? 'all' : `TESTS_QUARTER=${quarter || QUARTERS}`

/** How many cases a property test takes: in `npm test` a quarter, which are others each time. */
export const runs = (all: number): number => (isProof ? all : Math.ceil(all / QUARTERS))

/** The part of a loop that is run today: all of it in the proof, otherwise every fourth item, and at least one. */
export const ofToday = <T>(all: readonly T[]): T[] =>
  all.filter((_, at) => isProof || at % Math.min(QUARTERS, all.length) === quarter % all.length)
