/**
 * E-mails to staff about held entries (docs/offline.md, "Held entries"): at most one an hour for each trial. They name participants,
 * and hold nothing of the answers.
 */
import { holds, isInScope, type Places, visibleScopeOf } from '#access/caller'
import { accessOf } from '#access/identify'
import { placesOf } from '#conduct/participants/memberships'
import type { Db } from '#db/open'
import { rowById, updateWhere } from '#db/rows'
import { heldEntries, participants } from '#db/tables/index'
import { holdersOf } from '#design/roles/peopleStore'
import { writerOf } from '#design/trials/notices'
import { type SharedTrial, trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import type { Writer } from '#texts/writer'
import { delayNotification, entriesToNotify } from './store'

/** When staff are notified of a new entry: now, unless an e-mail was sent within the last hour or is planned. @param last of the trial's entry before */
export function notificationTime(now: Instant, last: Instant | undefined): Instant {
  if (last === undefined || last + HOUR <= now) return now
  return last > now ? last : last + HOUR
}

/** The most participants in an e-mail. */
const MAX_NAMES = 10

type WaitingParticipant = { id: string; places: Places; entries: number }

const waitingMail = ({ write, writeCounted, list }: Writer, study: string, waiting: readonly WaitingParticipant[]) => {
  const ids = waiting.map(({ id }) => id)
  const count = waiting.reduce((sum, { entries }) => sum + entries, 0)
  return {
    subject: writeCounted('heldEntries.subject', count, { trial: study }),
    body: write('heldEntries.body', { trial: study, participants: list(ids, MAX_NAMES) }),
  }
}

/** Sends each person an e-mail about the entries that they may decide about. */
function mailDecisionMakers(db: Db, now: Instant, trial: SharedTrial, waiting: readonly WaitingParticipant[]): void {
  for (const user of holdersOf(db, trial._id)) {
    const access = accessOf(db, user).trials.get(trial._id)
    if (!access) continue
    const own = waiting.filter(
      ({ places }) => isInScope(visibleScopeOf(access), places) && holds(access, 'writeParticipantStudyData', places),
    )
    if (own.length)
      mailUsers(db, now, trial._id, [user], (language) => waitingMail(writerOf(trial, language), trial.name, own))
  }
}

/** How many entries wait, by participant, without those of archived participants. */
function countWaiting(db: Db, ids: readonly Id[]): WaitingParticipant[] {
  const entries = new Map<Id, number>()
  for (const _id of ids) entries.set(_id, (entries.get(_id) ?? 0) + 1)
  return [...entries].flatMap(([_id, entries]) => {
    const row = rowById(db, participants, _id)
    return row && !row.isArchived ? [{ id: row.id, places: placesOf(db, _id), entries }] : []
  })
}

/** Notifies the staff of one trial of the due entries: at most `limit` now, and the others an hour later. Returns whether there were due entries. */
export function notifyStaff(db: Db, now: Instant, limit: number): boolean {
  const due = entriesToNotify(db, now, limit + 1)
  const [first] = due
  if (!first) return false
  const notified = due.slice(0, limit)
  const trial = trialById(db, first.trial)!
  const waiting = notified.filter(({ status }) => status === 'held').map(({ participant }) => participant)
  if (waiting.length && !trial.isArchived) mailDecisionMakers(db, now, trial, countWaiting(db, waiting))
  for (const { _id } of notified) updateWhere(db, heldEntries, { _id }, { isTold: true })
  if (due.length > limit) delayNotification(db, first.trial, now, now + HOUR)
  return true
}
