/**
 * Random requests of every operation, made from its own models and sent by callers of every kind: no answer is a fault of
 * the server (5xx), differs from its model or hangs, and `verify` finds nothing afterwards.
 * TRIALBOX_FUZZ_SEED repeats a series, TRIALBOX_FUZZ_REQUESTS makes it longer, TRIALBOX_FUZZ_VERIFY=1 verifies after each request.
 */
import { expect, test } from 'bun:test'
import { checks } from '#cli/checks'
import { operations } from '#start/app'
import { nameOf } from './every-operation.shared'
import { fuzzRequests } from './fuzz.requests'
import { lineOf, shrink } from './fuzz.shrink'
import { fuzzStudy } from './fuzz.study'
import { hashCheaply } from './passwords'

hashCheaply()

/** In CI always the same series: a fault that an old change made must not stop a new one. */
const SEED = Number(process.env.TRIALBOX_FUZZ_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 2 ** 31)))
const REQUESTS = Number(process.env.TRIALBOX_FUZZ_REQUESTS ?? 20_000)
const EACH = process.env.TRIALBOX_FUZZ_VERIFY === '1'

/** Each world gets this many requests: what they lock, archive and delete is there again in the next one. */
const IN_A_WORLD = 1_000

test(`no random request is a fault of the server (seed ${SEED}, ${REQUESTS} requests)`, async () => {
  const succeeded = new Set<string>()
  const wrong: string[] = []
  for (let first = 0; first < REQUESTS && wrong.length < 5; first += IN_A_WORLD) {
    const study = await fuzzStudy(SEED + first / IN_A_WORLD)
    const { make, send } = fuzzRequests(study)
    const series = `TRIALBOX_FUZZ_SEED=${SEED + first / IN_A_WORLD}`
    /** What `verify` finds; undefined if nothing. */
    const inconsistency = () => {
      for (const { name, run } of checks) {
        try {
          run(study.db.$client)
        } catch (error) {
          return `verify finds, in ${name}: ${(error as Error).message}`
        }
      }
      return undefined
    }
    for (let step = 0; step < Math.min(IN_A_WORLD, REQUESTS - first); step++) {
      await study.next(step)
      const request = make(step > IN_A_WORLD - 50)
      const outcome = await send(request)
      if (outcome.status === 200) succeeded.add(request.operation)
      if (outcome.wrong !== undefined) {
        const least = await shrink(request, outcome.wrong, send)
        wrong.push(`${series}, request ${step}: ${lineOf(least)}\n${outcome.wrong}`)
      }
      const found = EACH ? inconsistency() : undefined
      if (found) {
        wrong.push(`${series}, request ${step}: ${lineOf(request)}\n${found}`)
        break
      }
    }
    study.service.flush()
    const found = wrong.length ? undefined : inconsistency()
    if (found) wrong.push(`${series} (with TRIALBOX_FUZZ_VERIFY=1 it names the request): ${found}`)
  }
  expect(wrong.join('\n\n')).toBe('')
  // Requests of which most are refused would prove nothing.
  const never = operations.map(nameOf).filter((name) => !succeeded.has(name))
  if (REQUESTS >= 2_000) expect(never.length, `${never}`).toBeLessThan(0.25 * operations.length)
  if (REQUESTS >= 20_000) expect(never.length, `${never}`).toBeLessThan(0.1 * operations.length)
}, 900_000)
