/** Messages about events and meetings, to the participant and to the personnel (docs/appointments.md, "Messages"). */
import { holds } from '#access/caller'
import { featuresOf } from '#access/features'
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import { addAutomatic } from '#conduct/messages/automatic'
import { getsNoMessages } from '#conduct/participants/consentStateStore'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { notificationTitle, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailEach, messageParticipant } from '#outbox/post'
import { joinUrl, type LinkOwner } from './links'
import type { AppointmentRow } from './store'
import { momentText, type Occurrence, participantText, staffText, withLink } from './texts'

/** An appointment with what messages about it need. */
export type Subject = { trial: SharedTrial; participant: ParticipantRow; appointment: AppointmentRow }
type Sending = Pick<Services, 'db' | 'seal' | 'publicUrl'>

/** The people among these whose account is enabled and who may read the events of a participant. */
export function readersOf(db: Db, trial: Id, participant: Id, people: readonly Id[]): Id[] {
  const places = placesOf(db, participant)
  return people.filter((user) => {
    if (!enabledUser(db, user)) return false
    const access = accessOf(db, user).trials.get(trial)
    return access && isVisibleTo(access, places) && holds(access, 'readParticipants', places)
  })
}

const linkFor = ({ seal, publicUrl }: Sending, { _id, isMeeting }: AppointmentRow, owner: LinkOwner) =>
  isMeeting ? joinUrl(seal, publicUrl, _id, owner) : null

/** What the message needs besides its text: it is useless after the start, and a link in it is for its reader only. */
const options = ({ _id, startsAt, isMeeting }: AppointmentRow, occurrence: Occurrence) => ({
  expiresAt: startsAt,
  appointment: _id,
  isSecret: isMeeting && occurrence !== 'cancelled',
})

/**
 * Whether people are told of it: not when it has begun, nor after its participant or trial was archived. Without the feature, nobody
 * can join a meeting.
 */
const isTold = ({ db }: Sending, { trial, participant, appointment }: Subject, now: Instant): boolean =>
  appointment.startsAt > now &&
  !participant.isArchived &&
  !trial.isArchived &&
  (!appointment.isMeeting || featuresOf(db, trial.team).videoCalls)

/**
 * Sends a message to the participant, and adds it to their thread, unless they were withdrawn or nobody is told. Staff read the
 * thread: there, the message is without the participant's own link.
 */
export function tellParticipant(sending: Sending, subject: Subject, occurrence: Occurrence, now: Instant): void {
  const { trial, participant, appointment } = subject
  const { db } = sending
  if (participant.isWithdrawn || getsNoMessages(db, participant) || !isTold(sending, subject, now)) return
  const writer = writerOf(trial, participant.language)
  const when = momentText(writer, zoneOf(participant, trial), appointment.startsAt)
  const body = participantText(writer, occurrence, { title: appointment.title, when })
  const text = { subject: notificationTitle(trial, participant), body, ...options(appointment, occurrence) }
  const added = addAutomatic(db, now, participant._id, { type: 'appointment' }, text)
  const url =
    occurrence === 'cancelled' ? null : linkFor(sending, appointment, { kind: 'participant', _id: participant._id })
  messageParticipant(db, now, participant, url === null ? added : { ...added, body: withLink(writer, body, url) })
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
  if (!isTold(sending, subject, now)) return
  const zone = zoneOf({ timezone: null }, trial)
  const about = { trial: trial.name, participant: participant.id, title: appointment.title }
  for (const _id of readersOf(db, trial._id, participant._id, people)) {
    const url = occurrence === 'cancelled' ? null : linkFor(sending, appointment, { kind: 'staff', _id })
    mailEach(db, now, trial._id, [_id], (language) => {
      const writer = writerOf(trial, language)
      const when = momentText(writer, zone, appointment.startsAt)
      return { ...staffText(writer, occurrence, { ...about, when }, url), ...options(appointment, occurrence) }
    })
  }
}
