/**
 * E-mails to the team about messages of participants (docs/messages.md, "E-mails to staff"): at most one an hour for each
 * thread. Messages within the hour are reported when it is over, unless the team has read them.
 */
import { holds, isInScope, type Places, visibleScopeOf } from '#access/caller'
import { accessOf } from '#access/identify'
import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { updateWhere } from '#db/rows'
import { participants } from '#db/tables/index'
import { holdersOf } from '#design/roles/peopleStore'
import { writerOf } from '#design/trials/notices'
import { type SharedTrial, trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import { participantsWithTeamMailDue } from './teamMailStore'
import { newMessageMail } from './texts'

/** The people of a trial who may write to a participant of these places. */
const supportStaffOf = (db: Db, trial: Id, places: Places): Id[] =>
  holdersOf(db, trial).filter((user) => {
    const access = accessOf(db, user).trials.get(trial)
    return access && isInScope(visibleScopeOf(access), places) && holds(access, 'support', places)
  })

function mailTeam(db: Db, now: Instant, trial: SharedTrial, { _id, id }: Pick<ParticipantRow, '_id' | 'id'>): void {
  mailUsers(db, now, trial._id, supportStaffOf(db, trial._id, placesOf(db, _id)), (language) =>
    newMessageMail(writerOf(trial, language), trial.name, id),
  )
  updateWhere(db, participants, { _id }, { teamMailedAt: now, teamMailDueAt: null })
}

/** Notifies the team that the participant has written: now, or an hour after the last e-mail. */
export function notifyTeam(db: Db, now: Instant, trial: SharedTrial, participant: ParticipantRow): void {
  const { _id, teamMailedAt } = participant
  const dueAt = (teamMailedAt ?? -HOUR) + HOUR
  if (dueAt <= now) mailTeam(db, now, trial, participant)
  else updateWhere(db, participants, { _id }, { teamMailDueAt: dueAt })
}

/** Sends the e-mails that are due about at most `limit` threads. Returns how many were due. */
export function notifyTeamsDue(db: Db, now: Instant, limit: number): number {
  const due = participantsWithTeamMailDue(db, now, limit)
  for (const participant of due) {
    if (participant.unreadCount && !participant.isArchived) {
      mailTeam(db, now, trialById(db, participant.trial)!, participant)
    } else updateWhere(db, participants, { _id: participant._id }, { teamMailDueAt: null })
  }
  return due.length
}
