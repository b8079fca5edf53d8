/** Creates, changes and cancels appointments: what events and meetings have in common. */
import { changedFields } from '#audit/changedFields'
import type { ParticipantScope } from '#conduct/participants/scope'
import { zoneOf } from '#conduct/timeline/progress'
import { insert, updateById } from '#db/rows'
import { appointments } from '#db/tables/index'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Instant, instantText } from '#kernel/time'
import { expireMessagesAbout } from '#outbox/store'
import { notifyParticipant, notifyPersonnel, readersOf } from './notify'
import { dueReminders, isPossibleTime } from './rules'
import { type AppointmentRow, wasReminded } from './store'

/** The fields that staff set. */
export type AppointmentFields = Pick<AppointmentRow, 'title' | 'description' | 'startsAt' | 'duration' | 'personnel'>

type ChangeContext = Pick<RequestContext, 'db' | 'now' | 'services' | 'id'> &
  Pick<ParticipantScope, 'trial' | 'participant'> & { caller: { user: { _id: Id } }; record(note: Note): void }

/** Refuses (400) a time so far away that dates computed from it could not be written, and people who may not take part. */
function requireValid({ db, trial, participant }: ChangeContext, startsAt: Instant, people: readonly Id[]): void {
  if (!isPossibleTime(startsAt)) throw refuse.bad('impossibleTime')
  const readers = readersOf(db, trial._id, participant._id, people)
  const strangers = people.filter((user) => !readers.includes(user))
  if (strangers.length) throw refuse.bad('personnelCannotSee', { count: strangers.length }, { strangers })
}

/** What the audit trail keeps: the texts as personal information, which they may hold. */
function auditNoteOf(before: Partial<AppointmentRow>, after: Partial<AppointmentRow>) {
  const texts = ({ title, description = null }: Partial<AppointmentRow>) => ({ title: title ?? null, description })
  const rest = ({ startsAt, duration = null, personnel }: Partial<AppointmentRow>) => ({
    startsAt: startsAt === undefined ? null : instantText(startsAt),
    duration,
    personnel: personnel ?? null,
  })
  return { event: changedFields(rest(before), rest(after)), personal: changedFields(texts(before), texts(after)) }
}

/** When the reminders of an appointment that just got its time must be looked at first. */
const firstReminderAt = ({ trial, participant }: ChangeContext, startsAt: Instant, now: Instant) =>
  dueReminders({
    now,
    startsAt,
    scheduledAt: now,
    zones: { participant: zoneOf(participant, trial), personnel: zoneOf({ timezone: null }, trial) },
    isSent: () => false,
  }).nextAt

/** Creates an event or meeting. A meeting is announced to everybody who takes part, except the caller. */
export function createAppointment(context: ChangeContext, isMeeting: boolean, fields: AppointmentFields) {
  const { db, now, id, caller, trial, participant, services, record } = context
  const personnel = [...new Set(fields.personnel)]
  requireValid(context, fields.startsAt, personnel)
  const appointment = insert(db, appointments, {
    ...{ _id: id(), createdAt: now, updatedAt: now, scheduledAt: now, createdBy: caller.user._id },
    ...{ trial: trial._id, participant: participant._id, isMeeting },
    ...fields,
    personnel,
    remindersDueAt: firstReminderAt(context, fields.startsAt, now),
  })
  if (isMeeting) {
    notifyParticipant(services, { trial, participant, appointment }, 'invitation', now)
    notifyPersonnel(services, { trial, participant, appointment }, 'invitation', now, withoutCaller(context, personnel))
  }
  const { event, personal } = auditNoteOf({}, appointment)
  record({ event: { [isMeeting ? 'meeting' : 'event']: appointment._id, ...event }, personal })
  return appointment
}

const withoutCaller = ({ caller }: ChangeContext, people: readonly Id[]) =>
  people.filter((_id) => _id !== caller.user._id)

/**
 * Changes an event or meeting. If it moves, messages with its old time are not sent any more, reminders are due again, and
 * everybody who knows about it is notified.
 */
export function changeAppointment(context: ChangeContext, before: AppointmentRow, change: Partial<AppointmentFields>) {
  const { db, now, trial, participant, services, record } = context
  const personnel = change.personnel && [...new Set(change.personnel)]
  const added = (personnel ?? []).filter((_id) => !before.personnel.includes(_id))
  requireValid(context, change.startsAt ?? before.startsAt, added)
  const isMoved = change.startsAt !== undefined && change.startsAt !== before.startsAt
  const moved = isMoved ? { scheduledAt: now, remindersDueAt: firstReminderAt(context, change.startsAt!, now) } : {}
  const counted = { updatedAt: now, sequence: before.sequence + 1 }
  const isKnown = before.isMeeting || wasReminded(db, before)
  const after = updateById(db, appointments, before._id, { ...change, personnel, ...moved, ...counted })
  const subject = { trial, participant, appointment: after }
  if (isMoved) {
    expireMessagesAbout(db, before._id, 'It was moved before this could be sent.')
    if (isKnown) notifyParticipant(services, subject, 'moved', now)
    const remaining = after.personnel.filter((_id) => !added.includes(_id))
    if (isKnown) notifyPersonnel(services, subject, 'moved', now, withoutCaller(context, remaining))
  }
  if (before.isMeeting) notifyPersonnel(services, subject, 'invitation', now, withoutCaller(context, added))
  record(auditNoteOf(before, after))
  return after
}

/** Cancels an event or meeting. It is hidden from now on; calendars show that it is cancelled. */
export function cancelAppointment(context: ChangeContext, before: AppointmentRow): void {
  const { db, now, trial, participant, services, record } = context
  const isKnown = before.isMeeting || wasReminded(db, before)
  const change = { cancelledAt: now, updatedAt: now, sequence: before.sequence + 1, remindersDueAt: null }
  const appointment = updateById(db, appointments, before._id, change)
  expireMessagesAbout(db, before._id, 'It was cancelled before this could be sent.')
  if (isKnown) {
    notifyParticipant(services, { trial, participant, appointment }, 'cancelled', now)
    notifyPersonnel(
      services,
      { trial, participant, appointment },
      'cancelled',
      now,
      withoutCaller(context, before.personnel),
    )
  }
  record(auditNoteOf(before, {}))
}
