import type { Staff } from '#access/caller'
import type { Db } from '#db/open'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { hashOf } from './hash'
import type { Trigger } from './model'
import { snapshotOf } from './snapshot'
import { insertVersion, newestVersion, type VersionRow } from './store'

type SnapshotContext = { db: Db; now: Instant; id(): Id; caller: Staff }

/**
 * Takes a snapshot of the configuration (docs/review.md, "Configuration versions"). If nothing has changed since the last
 * version, `manual` returns that one with `unchanged: true`; a lock always makes a new version.
 * @param trial as read in this transaction
 */
export function takeVersion(
  { db, now, id, caller }: SnapshotContext,
  trial: Trial,
  trigger: Trigger,
  note: string | null,
): { version: VersionRow; unchanged: boolean } {
  const snapshot = snapshotOf(db, trial)
  const hash = hashOf(snapshot)
  const last = newestVersion(db, trial._id)
  if (trigger === 'manual' && last?.hash === hash) return { version: last, unchanged: true }
  const version = insertVersion(db, {
    _id: id(),
    createdAt: now,
    trial: trial._id,
    number: (last?.number ?? 0) + 1,
    user: caller.user._id,
    userEmail: caller.user.email,
    trigger,
    note,
    hash,
    snapshot,
  })
  return { version, unchanged: false }
}

/** The number of the newest version, if the configuration still equals it; else undefined. */
export function currentVersion(db: Db, trial: Trial): number | undefined {
  const last = newestVersion(db, trial._id)
  return last?.hash === hashOf(snapshotOf(db, trial)) ? last?.number : undefined
}
