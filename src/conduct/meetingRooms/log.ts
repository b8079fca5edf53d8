/** Who joined and left a meeting, in the trial's log (docs/meetings.md, "The log"). */
import { appendEntry } from '#audit/append'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { Client } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { instantText } from '#kernel/time'
import type { Presence } from './room'

type Meeting = { _id: Id; trial: Id; participant: Id }

/** Writes the entry. As in every other entry, the device and address of a participant are personal information. */
export function logPresence(
  { db, commit, clock, fault }: Pick<Services, 'db' | 'commit' | 'clock' | 'fault'>,
  meeting: Meeting,
  { owner, type, event: { lastSeenAt, ...event } }: Presence,
  client: Client,
): Promise<void> {
  const createdAt = clock.now()
  const seen = lastSeenAt === undefined ? {} : { lastSeenAt: instantText(lastSeenAt) }
  const about = { chain: meeting.trial, createdAt, type, participant: meeting.participant }
  const content = { ...about, event: { meeting: meeting._id, ...event, ...seen } }
  const write = () => {
    if (owner.kind === 'participant') appendEntry(db, { ...content, userType: 'participant', personal: { client } })
    else {
      const userEmail = rowById(db, users, owner._id)?.email ?? null
      appendEntry(db, { ...content, userType: 'user', user: owner._id, userEmail, ...client })
    }
  }
  return commit(write).catch((reason) => fault(reason, `meeting, ${type}`))
}
