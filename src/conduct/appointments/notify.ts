/** Messages about events and meetings, to the participant and to the personnel (docs/appointments.md, "Messages"). */
import { holds } from '#access/caller'
import { featuresOf } from '#access/features'
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import { addAutomaticMessage } from '#conduct/messages/automaticMessages'
import { isMessagingStopped } from '#conduct/participants/consentStateStore'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { notificationTitle, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailUsers, messageParticipant } from '#outbox/messages'
import { joinUrl, type LinkOwner } from './links'
import type { AppointmentRow } from './store'
import { type AppointmentMessageKind, momentText, participantText, staffText, withLink } from './texts'

/** An appointment with what messages about it need. */
export type AppointmentContext = { trial: SharedTrial; participant: ParticipantRow; appointment: AppointmentRow }
type NotifyContext = Pick<Services, 'db' | 'seal' | 'publicUrl'>

/** The people among these whose account is enabled and who may read the events of a participant. */
export function readersOf(db: Db, trial: Id, participant: Id, people: readonly Id[]): Id[] {
  const places = placesOf(db, participant)
  return people.filter((user) => {
    if (!enabledUser(db, user)) return false
    const access = accessOf(db, user).trials.get(trial)
    return access && isVisibleTo(access, places) && holds(access, 'readParticipants', places)
  })
}

const linkFor = ({ seal, publicUrl }: NotifyContext, { _id, isMeeting }: AppointmentRow, owner: LinkOwner) =>
  isMeeting ? joinUrl(seal, publicUrl, _id, owner) : null

/** What the message needs besides its text: it is useless after the start, and a link in it is for its reader only. */
const messageOptions = ({ _id, startsAt, isMeeting }: AppointmentRow, kind: AppointmentMessageKind) => ({
  expiresAt: startsAt,
  appointment: _id,
  isSecret: isMeeting && kind !== 'cancelled',
})

/**
 * Whether messages are sent: not after its start, nor after its participant or trial was archived. Without the feature, nobody
 * can join a meeting.
 */
const mayNotify = (
  { db }: NotifyContext,
  { trial, participant, appointment }: AppointmentContext,
  now: Instant,
): boolean =>
  appointment.startsAt > now &&
  !participant.isArchived &&
  !trial.isArchived &&
  (!appointment.isMeeting || featuresOf(db, trial.team).videoCalls)

/**
 * Sends a message to the participant, and adds it to their thread, unless they have withdrawn or no messages are sent. Staff read the
 * thread: there, the message is without the participant's own link.
 */
export function notifyParticipant(
  context: NotifyContext,
  subject: AppointmentContext,
  kind: AppointmentMessageKind,
  now: Instant,
): void {
  const { trial, participant, appointment } = subject
  const { db } = context
  if (participant.isWithdrawn || isMessagingStopped(db, participant) || !mayNotify(context, subject, now)) return
  const writer = writerOf(trial, participant.language)
  const when = momentText(writer, zoneOf(participant, trial), appointment.startsAt)
  const body = participantText(writer, kind, { title: appointment.title, when })
  const text = { subject: notificationTitle(trial, participant), body, ...messageOptions(appointment, kind) }
  const added = addAutomaticMessage(db, now, participant._id, { type: 'appointment' }, text)
  const url = kind === 'cancelled' ? null : linkFor(context, appointment, { kind: 'participant', _id: participant._id })
  messageParticipant(db, now, participant, url === null ? added : { ...added, body: withLink(writer, body, url) })
}

/** Sends an e-mail to these people, as far as they still may see the participant. */
export function notifyPersonnel(
  context: NotifyContext,
  subject: AppointmentContext,
  kind: AppointmentMessageKind,
  now: Instant,
  people: readonly Id[] = subject.appointment.personnel,
): void {
  const { trial, participant, appointment } = subject
  const { db } = context
  if (!mayNotify(context, subject, now)) return
  const zone = zoneOf({ timezone: null }, trial)
  const about = { trial: trial.name, participant: participant.id, title: appointment.title }
  for (const _id of readersOf(db, trial._id, participant._id, people)) {
    const url = kind === 'cancelled' ? null : linkFor(context, appointment, { kind: 'staff', _id })
    mailUsers(db, now, trial._id, [_id], (language) => {
      const writer = writerOf(trial, language)
      const when = momentText(writer, zone, appointment.startsAt)
      return { ...staffText(writer, kind, { ...about, when }, url), ...messageOptions(appointment, kind) }
    })
  }
}
