/** Who joined and left a meeting, in the trial's log (docs/meetings.md, "The log"). */
import { appendEntry } from '#audit/append'
import { isTrial } from '#audit/store'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants, users } from '#db/tables/index'
import type { Client } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import type { PresenceChange } from './room'
import { takeJoinsWithoutLeave } from './store'

type Meeting = { _id: Id; trial: Id; participant: Id }

/**
 * Writes the entry. As in every other entry, the device and address of a participant are personal information. Nothing of
 * it is kept about a participant who was deleted or erased meanwhile.
 */
export function logPresence(
  { db, commit, clock, fault }: Pick<Services, 'db' | 'commit' | 'clock' | 'fault'>,
  meeting: Meeting,
  { owner, type, event: { lastSeenAt, ...event } }: PresenceChange,
  client: Client,
): Promise<void> {
  const createdAt = clock.now()
  const seen = lastSeenAt === undefined ? {} : { lastSeenAt: instantText(lastSeenAt) }
  const about = { chain: meeting.trial, createdAt, type, participant: meeting.participant }
  const content = { ...about, event: { meeting: meeting._id, ...event, ...seen } }
  const write = () => {
    if (!isTrial(db, meeting.trial)) return
    if (owner.kind === 'participant') {
      const isKept = rowById(db, participants, meeting.participant)?.erasedAt === null
      appendEntry(db, { ...content, userType: 'participant', ...(isKept && { personal: { client } }) })
    } else {
      const userEmail = rowById(db, users, owner._id)?.email ?? null
      appendEntry(db, { ...content, userType: 'user', user: owner._id, userEmail, ...client })
    }
  }
  return commit(write).catch((reason) => fault(reason, `meeting, ${type}`))
}

/**
 * Records that people have left a meeting that ended because the server was killed or lost power. Call it at the start, before anybody
 * comes in. The entry has the time of this start, because the time when they left is not known.
 */
export function logMissingLeaves(db: Db, now: Instant): void {
  runInTransaction(db, () => {
    for (const { createdAt, meeting, personal, ...entry } of takeJoinsWithoutLeave(db)) {
      const content = personal === null ? {} : { personal: JSON.parse(personal).content }
      const event = { meeting, reason: 'stopped', isLate: true }
      // No row changes with it.
      appendEntry(db, { ...entry, ...content, createdAt: Math.max(now, createdAt), type: 'leaveMeeting', event }, null)
    }
  })
}
