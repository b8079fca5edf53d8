import { mkdirSync, rmSync } from 'node:fs'
import { limiter } from '#access/limits'
import { makeKey } from '#accounts/users/keys'
import { makeOwner } from '#accounts/users/owner'
import { hashPassword } from '#accounts/users/passwords'
import { emptyDatabase, restoreRows, saveRows } from '#db/reset'
import { watchRows } from '#db/watch'
import type { Services, TestAccount, Testing } from '#http/services'
import { newSecret } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { TestClock } from './clock'
import { nextMessageDue } from './store'

/** The maximum number of intermediate stops when the clock is moved once. */
const STOPS = 2_000

const EMAIL = 'owner@example.org'

/**
 * Makes the account that a test server announces (docs/developers.md, "A server to test against"): its password
 * and key are new at every start.
 */
export async function makeTestOwner(services: Services): Promise<Omit<TestAccount, 'url'>> {
  const password = newSecret().slice(0, 20)
  const passwordHash = await hashPassword(password)
  const { db } = services
  const now = services.clock.now()
  return services.commit((): Omit<TestAccount, 'url'> => {
    const owner = makeOwner(db, { email: EMAIL, name: 'Test Owner', team: 'Test Team', passwordHash, now })
    const { key } = makeKey(db, { user: owner.user, name: 'serve --test', now })
    return { apiKey: key, ...owner, email: EMAIL, password }
  })
}

/**
 * Makes the functions of a test server. Call it when the database holds nothing but the owner: a reset returns to this
 * state.
 * @param flush commits the waiting requests
 */
export function testFunctions(
  services: Services,
  clock: TestClock,
  announced: TestAccount,
  flush: () => void,
): Testing {
  const { db } = services
  const owner = saveRows(db, ['teams', 'users', 'teamMembers', 'apiKeys'])
  return {
    async advanceTo(now) {
      const advance = (to: Instant) => {
        if (to > clock.now()) clock.set(to)
        return services.tick()
      }
      // It stops at the time of every due message, because a message that is days late is not sent.
      await services.tick()
      for (let stop = 0; stop < STOPS; stop++) {
        const next = nextMessageDue(db)
        if (next === null || next > now) break
        await advance(next)
      }
      await advance(now)
    },
    account: announced,
    reset() {
      flush()
      emptyDatabase(db)
      watchRows(db)
      restoreRows(db, owner)
      clock.reset()
      services.limits = limiter()
      for (const folder of [services.storage.files, services.storage.exports]) {
        rmSync(folder, { recursive: true, force: true })
        mkdirSync(folder, { recursive: true })
      }
    },
  }
}
