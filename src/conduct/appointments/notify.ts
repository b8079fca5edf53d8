/** Messages about events and meetings, to the participant and to the personnel (docs/appointments.md, "Messages"). */
import { holds } from '#access/caller'
import { accessOf } from '#access/identify'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { momentIn } from '#design/schedule/rules'
import { notificationTitle } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailEach, messageParticipant } from '#outbox/post'
import { joinUrl, type LinkOwner } from './links'
import type { AppointmentRow } from './store'
import { type Occurrence, participantTexts, staffText } from './texts'

/** An appointment with what messages about it need. */
export type Subject = { trial: Trial; participant: ParticipantRow; appointment: AppointmentRow }
type Sending = Pick<Services, 'db' | 'seal' | 'publicUrl'>

/** The people among these who may read the events of a participant. */
export function readersOf(db: Db, trial: Id, participant: Id, people: readonly Id[]): Id[] {
  const places = placesOf(db, participant)
  return people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial)
    return access && isVisibleTo(access, places) && holds(access, 'readParticipants', places)
  })
}

const linkFor = ({ seal, publicUrl }: Sending, { _id, isMeeting }: AppointmentRow, owner: LinkOwner) =>
  isMeeting ? joinUrl(seal, publicUrl, _id, owner) : null

/** What the message needs besides its text: it is useless after the start, and a link in it is for its reader only. */
const options = ({ _id, startsAt, isMeeting }: AppointmentRow, occurrence: Occurrence) =>
  occurrence === 'cancelled' ? { expiresAt: startsAt } : { expiresAt: startsAt, appointment: _id, isSecret: isMeeting }

/** Sends a message to the participant, unless they were archived or withdrawn, or it is too late. */
export function tellParticipant(sending: Sending, subject: Subject, occurrence: Occurrence, now: Instant): void {
  const { trial, participant, appointment } = subject
  if (participant.isArchived || participant.isWithdrawn || trial.isArchived || appointment.startsAt <= now) return
  const when = momentIn(zoneOf(participant, trial), appointment.startsAt)
  const url = linkFor(sending, appointment, { kind: 'participant', _id: participant._id })
  const body = participantTexts[occurrence]({ title: appointment.title, when, url })
  const text = { subject: notificationTitle(trial), body, ...options(appointment, occurrence) }
  messageParticipant(sending.db, now, participant, text)
}

/** Sends an e-mail to these people, as far as they still may see the participant. */
export function tellPersonnel(
  sending: Sending,
  subject: Subject,
  occurrence: Occurrence,
  now: Instant,
  people: readonly Id[] = subject.appointment.personnel,
): void {
  const { trial, participant, appointment } = subject
  const { db } = sending
  if (participant.isArchived || trial.isArchived || appointment.startsAt <= now) return
  const when = momentIn(zoneOf({ timezone: null }, trial), appointment.startsAt)
  for (const _id of readersOf(db, trial._id, participant._id, people)) {
    const url = linkFor(sending, appointment, { kind: 'staff', _id })
    const about = { study: trial.name, participantId: participant.id, title: appointment.title, when, url }
    mailEach(db, now, trial._id, [_id], { ...staffText(occurrence, about), ...options(appointment, occurrence) })
  }
}
