/** A participant's own events and meetings. */
import { self } from '#conduct/participantSessions/scope'
import type { Db } from '#db/open'
import { operation } from '#http/operation'
import { MOST_OWN, OwnEvent, OwnEvents, OwnMeetings, OwnWindow } from './model'
import { ownWindow } from './rules'
import { ownEvent } from './scope'
import { type AppointmentRow, appointmentsBetween, namesOf } from './store'
import { meetingView } from './views'

const withNames = (db: Db, row: AppointmentRow) => ({ ...row, personnelNames: namesOf(db, row.personnel) })

const listOwnEvents = operation({
  id: 'listOwnEvents',
  method: 'GET',
  path: '/participants/events',
  summary: 'List one’s own events',
  description: `By default from 30 days ago to 180 days from now, by their start; at most ${MOST_OWN}.`,
  who: 'participant',
  scope: self,
  needs: 'nothing',
  query: OwnWindow,
  returns: OwnEvents,
  run: ({ db, participant, query, now }) => {
    const window = { ...ownWindow(now, query), of: 'events', limit: MOST_OWN } as const
    return { participantEvents: appointmentsBetween(db, participant._id, window).map((row) => withNames(db, row)) }
  },
})

const readOwnEvent = operation({
  id: 'readOwnEvent',
  method: 'GET',
  path: '/participants/events/:eventId',
  summary: 'Read one of one’s own events',
  who: 'participant',
  scope: ownEvent,
  needs: 'nothing',
  returns: OwnEvent,
  run: ({ db, appointment }) => withNames(db, appointment),
})

const listOwnMeetings = operation({
  id: 'listOwnMeetings',
  method: 'GET',
  path: '/participants/meetings',
  summary: 'List one’s own meetings, each with the link to join',
  description: 'Those from 30 days ago to 180 days from now, by their start.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  feature: 'videoCalls',
  returns: OwnMeetings,
  run: (context) => {
    const { db, participant, now } = context
    const window = { ...ownWindow(now, {}), of: 'meetings', limit: MOST_OWN } as const
    const meetings = appointmentsBetween(db, participant._id, window)
    const reader = { kind: 'participant', _id: participant._id } as const
    return { meetings: meetings.map((row) => ({ ...withNames(db, row), ...meetingView(context, row, reader) })) }
  },
})

export const ownAppointmentOperations = [listOwnEvents, readOwnEvent, listOwnMeetings] as const
