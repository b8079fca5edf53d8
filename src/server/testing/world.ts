import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { hashPassword } from '#accounts/users/passwords'
import type { Db } from '#db/open'
import type { Services, TestAccount } from '#http/services'
import { newSecret } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** A new password and its hash. */
export async function newTestPassword(): Promise<{ password: string; passwordHash: string }> {
  const password = newSecret().slice(0, 20)
  return { password, passwordHash: await hashPassword(password) }
}

/**
 * Makes a team, its owner and a key, as a test server announces them (docs/developers.md, "A server to test against"): all
 * are new each time. Call it in a transaction.
 */
export function makeTestWorld(
  db: Db,
  account: Pick<TestAccount, 'email' | 'password'> & { name: string; team: string; passwordHash: string; now: Instant },
): Omit<TestAccount, 'url'> {
  const { password, ...owner } = account
  const made = insertOwner(db, owner)
  const { key } = insertApiKey(db, { user: made.user, name: 'serve --test', now: owner.now })
  return { apiKey: key, ...made, email: owner.email, password }
}

/** Makes the owner of a test server. */
export async function makeTestOwner({ db, commit, clock }: Services): Promise<Omit<TestAccount, 'url'>> {
  const account = { email: 'owner@example.org', name: 'Test Owner', team: 'Test Team', ...(await newTestPassword()) }
  return commit((): Omit<TestAccount, 'url'> => makeTestWorld(db, { ...account, now: clock.now() }))
}
