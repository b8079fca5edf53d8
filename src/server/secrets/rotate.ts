/** Rotates the keys of a data directory, and forgets earlier ones. No server runs meanwhile: it knows the keys from its start. */
import { appendEntry } from '#audit/append'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import { recordKeys } from '#documents/archives/signature'
import { fingerprintOf } from '#kernel/publicKeys'
import { createSeal } from '#kernel/seal'
import { type Instant, instantText } from '#kernel/time'
import { readDataDirectory } from '#server/process/dataDirectory'
import { addKey, type DatedKey, datedKeys, removeKeys } from '#server/process/secretsFile'
import { type RenewalResult, renewAll } from './renew'
import { endHashes, loggedVersions } from './store'
import { isWaitOver, type KeyUse, usesOf } from './uses'

/** The fingerprint of the key with which a version signs study records and other archives. */
export const signingKeyOf = (root: string, version: number): string => {
  const keys = readDataDirectory(root).keysFor('storage')
  const [key = keys[0]] = keys.filter((each) => each.version === version)
  return fingerprintOf(recordKeys([key]).publicKey)
}

/** Makes values anew with the current key, after a rotation that was not interrupted, or one that was. */
function complete(root: string, db: Db, now: Instant): RenewalResult {
  const [current, ...earlier] = datedKeys(root)
  const logged = loggedVersions(db)
  for (const { version, since } of [...earlier.toReversed(), current])
    if (since !== null && !logged.includes(version)) {
      const event = { version, since: instantText(since), signingKey: signingKeyOf(root, version) }
      const entry = { chain: 'service', createdAt: now, type: 'rotateSecrets', userType: 'system' as const, event }
      runInTransaction(db, () => appendEntry(db, entry))
    }
  return renewAll(db, createSeal(readDataDirectory(root).keysFor('storage')), current.version, now)
}

/**
 * Adds a key, which is the current one from now on, and makes what is stored anew with it. The key is on the disk before anything is made
 * with it: whenever this is interrupted, everything can be read, and the next rotation or `forget` completes it.
 */
export function rotate(root: string, db: Db, now: Instant): RenewalResult & { version: number } {
  const version = addKey(root, now)
  return { version, ...complete(root, db, now) }
}

/** An earlier key with what needs it. */
export type EarlierKey = { key: DatedKey; uses: KeyUse[]; isWaitOver: boolean }

export const earlierKeys = (root: string, db: Db, now: Instant): EarlierKey[] =>
  datedKeys(root)
    .slice(1)
    .map((key) => ({ key, uses: usesOf(db, key, now), isWaitOver: isWaitOver(key, now) }))

/**
 * Forgets the earlier keys that nothing needs any more.
 * @param atOnce forgets all earlier keys, and ends what needs them
 */
export function forget(
  root: string,
  db: Db,
  now: Instant,
  atOnce: boolean,
): { forgotten: EarlierKey[]; left: EarlierKey[] } {
  complete(root, db, now)
  const all = earlierKeys(root, db, now)
  const mayForget = (each: EarlierKey) => atOnce || (each.isWaitOver && !each.uses.length)
  const forgotten = all.filter(mayForget)
  if (forgotten.length) {
    const versions = forgotten.map(({ key }) => key.version)
    runInTransaction(db, () => {
      for (const version of versions) endHashes(db, version)
      const keys = forgotten.map(({ key: { version }, uses }) => ({
        ...{ version, signingKey: signingKeyOf(root, version) },
        ended: uses.map(({ count, what }) => `${count} ${what}`),
      }))
      appendEntry(db, {
        ...{ chain: 'service', createdAt: now, type: 'forgetSecrets', userType: 'system' },
        event: { atOnce, keys },
      })
    })
    removeKeys(root, versions)
  }
  return { forgotten, left: all.filter((each) => !mayForget(each)) }
}
