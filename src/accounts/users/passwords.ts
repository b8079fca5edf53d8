/** Hashes and compares all passwords: of staff, participants and trials (docs/decisions.md, "Accounts"). */
import { availableParallelism } from 'node:os'
import { type Reason, reason } from '#kernel/refusals/reason'
import { textWithSpaces } from '#wire/schema'

/** The model of a new password. */
export const newPassword = () => textWithSpaces(10, 200)
/** The model of a password to be compared: shorter ones are wrong, not invalid. */
export const enteredPassword = () => textWithSpaces(1, 200)

const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The lowest cost of argon2id: some microseconds, so that tests need not wait for passwords. */
const TEST_COST = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

/** The beginning of each hash with the full cost. */
const PARAMETERS = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=1$`

// Compared if there is no password, so that an unknown e-mail address takes as long as a wrong password.
const DUMMY_HASH = `${PARAMETERS}G0vc63FdQDPZvuisKdDurTumkvi8ZqBIhE1AvSl6PU8$m7mTpCkiFAxwJZBdtfeJk3/kQnnvGMmCKHEQy6KsqWo`

let cost: typeof COST | typeof TEST_COST = COST
let dummyHash = DUMMY_HASH

/**
 * Hashes with the lowest cost from now on. Only for the process of `serve --test`: no other server opens its data directory
 * (docs/developers.md, "A server to test against"), and no setting leads here.
 */
export function hashForTests(): void {
  cost = TEST_COST
  dummyHash = Bun.password.hashSync(DUMMY_HASH, TEST_COST)
}

/** NFKC, so that a password matches however a keyboard composes its letters. */
const normalize = (password: string) => password.normalize('NFKC')

/**
 * How many passwords are hashed or compared at the same time: one core stays free for everything else. With as many as there
 * are cores, reading a file took 200 ms where it took 14 ms (measured), since files share their threads with hashes.
 */
const AT_ONCE = Math.max(1, availableParallelism() - 1)
let running = 0

/** Work that somebody waits for runs next; other work runs last. */
type Turn = 'next' | 'last'
const waiting: Record<Turn, (() => void)[]> = { next: [], last: [] }

/** Performs the work when it is its turn. */
async function inTurn<T>(work: () => Promise<T>, turn: Turn = 'next'): Promise<T> {
  if (running < AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting[turn].push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.next.shift() ?? waiting.last.shift()
    if (next) next()
    else running--
  }
}

const verify = (password: string, hash: string) => inTurn(() => Bun.password.verify(password, hash))

/**
 * The argon2id hash of a password. Takes some 25 ms and 19 MB: never call it inside a transaction.
 * @param turn `last` if no request waits for it: sign-ins come first
 */
export const hashPassword = (password: string, turn?: Turn): Promise<string> =>
  inTurn(() => Bun.password.hash(normalize(password), cost), turn)

/**
 * Whether the password matches the hash. If there is no hash, takes as long and returns false. Never call it inside a
 * transaction.
 */
export async function passwordMatches(password: string, hash: string | null | undefined): Promise<boolean> {
  if (await verify(normalize(password), hash ?? dummyHash)) return typeof hash === 'string'
  // Earlier versions hashed trial passwords with other parameters and without NFKC.
  const mayBeAsTyped = typeof hash === 'string' && !hash.startsWith(PARAMETERS) && normalize(password) !== password
  return mayBeAsTyped && verify(password, hash)
}

/** What is wrong with a participant's password in a trial; undefined if nothing is. @param least characters; null: any number */
export function lengthProblem(password: string, least: number | null): Reason | undefined {
  const isShort = least !== null && [...normalize(password)].length < least
  return isShort ? reason('shortPassword', { least }) : undefined
}
