/** Purges what was deleted when its time has passed. */
import { purge, recordPurge } from '#design/deletions/purge'
import { type DeletionRow, deletionById, endedDeletions } from '#design/deletions/store'
import type { Services } from '#http/services'
import { newId } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Deletions per commit: each overwrites what it held. */
const BATCH = 20

/** Purges a part of the deletions whose time has passed, with an entry for each. Returns whether more may be left. */
export async function purgeExpired(services: Services, now: Instant): Promise<boolean> {
  const { db, commit } = services
  let effects: (() => void)[] = []
  const count = await commit(() => {
    effects = []
    const rows = endedDeletions(db, now, BATCH)
    for (const row of rows) purgeOne(services, now, row, (effect) => effects.push(effect))
    return rows.length
  })
  for (const effect of effects) effect()
  return count === BATCH
}

function purgeOne(services: Services, now: Instant, row: DeletionRow, after: (effect: () => void) => void): void {
  const { db } = services
  if (deletionById(db, row._id)?.status !== 'kept') return // with its participant
  const caller = { user: { _id: row.deletedBy } }
  for (const each of purge({ db, services, now, id: () => newId(now), caller, after }, row)) recordPurge(db, now, each)
}
