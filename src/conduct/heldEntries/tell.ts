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
import { mailEach } from '#outbox/post'
import type { Writer } from '#texts/write'
import { delayTelling, entriesToTell } from './store'

/** When staff are told of a new entry: now, unless they were told within the hour or will be. @param last of the trial's entry before */
export function tellingAt(now: Instant, last: Instant | undefined): Instant {
  if (last === undefined || last + HOUR <= now) return now
  return last > now ? last : last + HOUR
}

/** The most participants in an e-mail. */
const NAMED = 10

type Waiting = { id: string; places: Places; entries: number }

const waitingMail = ({ write, writeCounted, list }: Writer, study: string, waiting: readonly Waiting[]) => {
  const ids = waiting.map(({ id }) => id)
  const count = waiting.reduce((sum, { entries }) => sum + entries, 0)
  return {
    subject: writeCounted('heldEntries.subject', count, { trial: study }),
    body: write('heldEntries.body', { trial: study, participants: list(ids, NAMED) }),
  }
}

/** Tells each person who may decide about some of the entries, of those. */
function mailDeciders(db: Db, now: Instant, trial: SharedTrial, waiting: readonly Waiting[]): void {
  for (const user of holdersOf(db, trial._id)) {
    const access = accessOf(db, user).trials.get(trial._id)
    if (!access) continue
    const own = waiting.filter(
      ({ places }) => isInScope(visibleScopeOf(access), places) && holds(access, 'writeParticipantStudyData', places),
    )
    if (own.length)
      mailEach(db, now, trial._id, [user], (language) => waitingMail(writerOf(trial, language), trial.name, own))
  }
}

/** How many entries wait, by participant, without those of archived participants. */
function countWaiting(db: Db, ids: readonly Id[]): Waiting[] {
  const entries = new Map<Id, number>()
  for (const _id of ids) entries.set(_id, (entries.get(_id) ?? 0) + 1)
  return [...entries].flatMap(([_id, entries]) => {
    const row = rowById(db, participants, _id)
    return row && !row.isArchived ? [{ id: row.id, places: placesOf(db, _id), entries }] : []
  })
}

/** Tells the staff of one trial of what is due: at most `limit` entries, and of more an hour later. Returns whether something was due. */
export function tellDeciders(db: Db, now: Instant, limit: number): boolean {
  const due = entriesToTell(db, now, limit + 1)
  const [first] = due
  if (!first) return false
  const told = due.slice(0, limit)
  const trial = trialById(db, first.trial)!
  const waiting = told.filter(({ status }) => status === 'held').map(({ participant }) => participant)
  if (waiting.length && !trial.isArchived) mailDeciders(db, now, trial, countWaiting(db, waiting))
  for (const { _id } of told) updateWhere(db, heldEntries, { _id }, { isTold: true })
  if (due.length > limit) delayTelling(db, first.trial, now, now + HOUR)
  return true
}
