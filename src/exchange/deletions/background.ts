/** Purges what was deleted when its time has passed. */
import { appendEntry } from '#audit/append'
import { purge } from '#design/deletions/purge'
import { type DeletionRow, deletionById, ended, keptOfParticipant } from '#design/deletions/store'
import type { Services } from '#http/services'
import { newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { eventOf } from './rules'

/** Deletions per commit: each overwrites what it held. */
const BATCH = 20

/** Purges a part of the deletions whose time has passed, with an entry for each. Returns whether more may be left. */
export async function purgeEnded(services: Services, now: Instant): Promise<boolean> {
  const { db, commit } = services
  let effects: (() => void)[] = []
  const count = await commit(() => {
    effects = []
    const rows = ended(db, now, BATCH)
    for (const row of rows) purgeOne(services, now, row, (effect) => effects.push(effect))
    return rows.length
  })
  for (const effect of effects) effect()
  return count === BATCH
}

function purgeOne(services: Services, now: Instant, row: DeletionRow, after: (effect: () => void) => void): void {
  const { db } = services
  if (deletionById(db, row._id)?.status !== 'kept') return // with its participant
  const also = row.kind === 'participant' ? keptOfParticipant(db, row.subject) : []
  const caller = { user: { _id: row.deletedBy } }
  purge({ db, services, now, id: () => newId(now), caller, after }, row)
  for (const each of new Map([row, ...also].map((each) => [each._id, each])).values()) {
    const { trial, team, participant } = each
    const entry = { chain: trial ?? team, createdAt: now, type: 'purgeDeletion', userType: 'system' as const }
    appendEntry(db, { ...entry, participant, event: eventOf(each) })
  }
}
