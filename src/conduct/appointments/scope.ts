import type { Caller, ParticipantCaller } from '#access/caller'
import { self } from '#conduct/participantSessions/scope'
import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { type ParticipantRow, participantById } from '#conduct/participants/store'
import { zoneOf } from '#conduct/timeline/progress'
import { rowById } from '#db/rows'
import { appointments, users } from '#db/tables/index'
import { momentIn } from '#design/schedule/rules'
import { type SharedTrial, trialById } from '#design/trials/store'
import type { RequestContext, Scope, ScopeResult } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import type { Seal } from '#kernel/seal'
import { type Instant, instantText } from '#kernel/time'
import { type LinkOwner, readJoinToken } from './links'
import { readersOf } from './notify'
import { joinWindow } from './rules'
import { type AppointmentRow, appointmentById } from './store'

type ParticipantPath = Parameters<Scope<ParticipantScope, 'trialId' | 'participantId'>>[0]

function appointmentIn(
  context: ParticipantPath,
  _id: Id,
  isMeeting: boolean,
): ParticipantScope & { appointment: AppointmentRow } {
  const noun = isMeeting ? 'meeting' : 'event'
  const ofParticipant = participant(context)
  const appointment = found(appointmentById(context.db, _id), noun)
  const isHere = appointment.participant === ofParticipant.participant._id && appointment.isMeeting === isMeeting
  if (!isHere) throw refuse.missing(noun)
  return { ...ofParticipant, appointment }
}

type AppointmentScope = ParticipantScope & { appointment: AppointmentRow }

/** The event that `:eventId` names; 404 unless it is one of the participant of the path. */
export const event: Scope<AppointmentScope, 'trialId' | 'participantId' | 'eventId'> = (context) =>
  appointmentIn(context, context.params.eventId, false)

/** The meeting that `:meetingId` names; 404 unless it is one of the participant of the path. */
export const meeting: Scope<AppointmentScope, 'trialId' | 'participantId' | 'meetingId'> = (context) =>
  appointmentIn(context, context.params.meetingId, true)

type OwnAppointment = { trial: SharedTrial; participant: ParticipantRow; appointment: AppointmentRow }

/** The event of the participant themselves that `:eventId` names. */
export const ownEvent: Scope<OwnAppointment, 'eventId', ParticipantCaller> = ({ params, ...context }) => {
  const own = self({ ...context, params: {} })
  const appointment = found(appointmentById(context.db, params.eventId), 'event')
  if (appointment.participant !== own.participant._id || appointment.isMeeting) throw refuse.missing('event')
  return { ...own, appointment }
}

type LinkedMeetingScope = ScopeResult & {
  trial: SharedTrial
  participant: ParticipantRow
  appointment: AppointmentRow
  owner: LinkOwner
  person: { kind: LinkOwner['kind']; name: string }
}

/** The name of the owner of a link; undefined if they have no part in the meeting any more. */
function nameOfOwner(db: RequestContext['db'], { kind, _id }: LinkOwner, who: ParticipantRow, meeting: AppointmentRow) {
  if (kind === 'participant') return _id === who._id ? who.id : undefined
  const takesPart = meeting.personnel.includes(_id) && readersOf(db, meeting.trial, who._id, [_id]).length > 0
  return takesPart ? rowById(db, users, _id)?.name : undefined
}

/**
 * The meeting of a link, and whose link it is.
 * @throws 404 if the link has ended, with the code `over` or `cancelled` for people who take part in the meeting; 403 with the code `notYet`
 * and the moment from which it is valid
 */
export function meetingOfLink(
  { db, seal }: { db: RequestContext['db']; seal: Seal },
  token: string,
  now: Instant,
): LinkedMeetingScope {
  const read = readJoinToken(seal, token)
  if (!read) throw refuse.linkEnded()
  const row = rowById(db, appointments, read.meeting)
  const appointment = row?.isMeeting ? row : undefined
  const participant = appointment && participantById(db, appointment.participant)
  const trial = participant && trialById(db, participant.trial)
  const name = trial && nameOfOwner(db, read.owner, participant, appointment)
  if (!name || participant.isArchived || trial.isArchived) throw refuse.linkEnded()
  if (appointment.cancelledAt !== null) throw refuse.linkEnded({ code: 'cancelled' })
  const { joinFrom, joinUntil } = joinWindow(appointment)
  if (now >= joinUntil) throw refuse.linkEnded({ code: 'over' })
  if (now < joinFrom)
    throw refuse.linkNotYetValid(momentIn(zoneOf(participant, trial), joinFrom), instantText(joinFrom))
  return { trial, participant, appointment, owner: read.owner, person: { kind: read.owner.kind, name } }
}

/** The meeting of the link of `:token`. @throws as `meetingOfLink` does */
export const linkedMeeting: Scope<LinkedMeetingScope, 'token', Caller> = ({ db, params, now, services }) =>
  meetingOfLink({ db, seal: services.seal }, params.token, now)
