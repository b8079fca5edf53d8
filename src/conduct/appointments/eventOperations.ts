/** Events of a participant (docs/appointments.md, "Events"). Neither lock refuses changes of them. */
import { participant } from '#conduct/participants/scope'
import { operation } from '#http/operation'
import { partial, shape } from '#wire/schema'
import { cancelAppointment, changeAppointment, createAppointment } from './change'
import { EventInput, Events, PAGE, PageQuery, ParticipantEvent } from './model'
import { event } from './scope'
import { appointmentsOf } from './store'

const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/events',
  summary: 'List the events of a participant',
  description: `By their start, ${PAGE} events a page.`,
  scope: participant,
  needs: 'trial.readParticipants',
  query: PageQuery,
  returns: Events,
  run: ({ db, participant, query: { page = 1 } }) => {
    const place = { isMeeting: false, limit: PAGE + 1, skip: (page - 1) * PAGE }
    const rows = appointmentsOf(db, participant._id, place)
    return { events: rows.slice(0, PAGE), page, nextPageAvailable: rows.length > PAGE }
  },
})

const createEvent = operation({
  id: 'createEvent',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/events',
  summary: 'Create an event of a participant',
  description: 'The participant and the personnel are reminded a day and an hour before.',
  scope: participant,
  needs: 'trial.write',
  logs: 'createEvent',
  body: EventInput,
  returns: ParticipantEvent,
  run: (context) => {
    const { title, description = null, startsAt, duration = null, personnel = [] } = context.body
    return createAppointment(context, false, { title, description, startsAt, duration, personnel })
  },
})

const editEvent = operation({
  id: 'updateEvent',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/events/:eventId',
  summary: 'Change or move an event',
  description: 'If it moves, it has reminders again; people who were reminded of the old time get a message.',
  scope: event,
  needs: 'trial.write',
  logs: 'updateEvent',
  body: partial(EventInput),
  returns: ParticipantEvent,
  run: (context) => changeAppointment(context, context.appointment, context.body),
})

const removeEvent = operation({
  id: 'deleteEvent',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/events/:eventId',
  summary: 'Cancel an event',
  description: 'Calendars show it as cancelled.',
  scope: event,
  needs: 'trial.write',
  logs: 'deleteEvent',
  returns: shape({}),
  run: (context) => {
    cancelAppointment(context, context.appointment)
    return {}
  },
})

export const eventOperations = [listEvents, createEvent, editEvent, removeEvent] as const
