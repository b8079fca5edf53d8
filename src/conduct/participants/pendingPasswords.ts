/**
 * Passwords that wait to be hashed (docs/participants.md, "Registration"). A hash takes long, so those of a large batch are
 * hashed after the response. Until then the participant has the password encrypted with the server's key, which is not in the
 * database, in place of its hash. A new password or a deletion replaces or removes it like a hash.
 */
import { hashPassword } from '#accounts/users/passwords'
import type { Services } from '#http/services'
import type { BackgroundKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { shape, whole } from '#wire/schema'
import {
  completePasswordJobs,
  hasPasswordJobs,
  pendingPasswords,
  replacePassword,
  savePasswordProgress,
} from './pendingPasswordStore'
import type { ParticipantRow } from './store'

/** The job that shows an account how many of the passwords of its batch are hashed. */
export const hashPasswords: BackgroundKind<{ count: number }> = {
  by: 'background',
  kind: 'hashPasswords',
  input: shape({ count: whole(1) }),
}

/** No hash begins like this. */
export const SEALED_PREFIX = '$sealed$'

/** What a sealed password is about, for `seal`. */
export const passwordSealContext = (participant: Id): string => `password ${participant}`

type SealContext = Pick<Services, 'seal'>

/** The password in the form in which it waits to be hashed. */
export const sealPassword = ({ seal }: SealContext, participant: Id, password: string): string =>
  `${SEALED_PREFIX}${seal.close(password, passwordSealContext(participant))}`

type HashContext = Pick<Services, 'db' | 'commit' | 'seal' | 'fault'>

/**
 * The hash of a participant's password; null if there is none. One that waits is hashed now and stored, unless the password
 * was changed meanwhile. Never call it inside a transaction.
 * @param turn `last` if no request waits for it
 */
export async function passwordHashOf(
  services: HashContext,
  { _id, passwordHash: stored }: Pick<ParticipantRow, '_id' | 'passwordHash'>,
  turn?: 'last',
): Promise<string | null> {
  if (!stored?.startsWith(SEALED_PREFIX)) return stored
  let password: string
  try {
    password = services.seal.open(stored.slice(SEALED_PREFIX.length), passwordSealContext(_id))
  } catch (reason) {
    services.fault(reason, `password of participant ${_id}, which waits to be hashed`)
    return null
  }
  const hash = await hashPassword(password, turn)
  return services.commit(() => replacePassword(services.db, _id, stored, hash))
}

/** Passwords in one part of the background work. */
const PAGE = 4

/** Hashes the next passwords that wait, and brings their jobs up to date. Returns whether more may be left. */
export async function hashNextPasswords(services: Services, now: Instant): Promise<boolean> {
  const { db, commit } = services
  if (!hasPasswordJobs(db)) return false
  const page = pendingPasswords(db, PAGE)
  await Promise.all(page.map((participant) => passwordHashOf(services, participant, 'last')))
  await commit(() => {
    savePasswordProgress(
      db,
      page.map(({ _id }) => _id),
      now,
    )
    completePasswordJobs(db, now)
  })
  return page.length === PAGE
}
