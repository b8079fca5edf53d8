/** Video meetings of a participant (docs/appointments.md, "Meetings"). Neither lock refuses changes of them. */

import type { Staff } from '#access/caller'
import { answerLanguage, withLanguages } from '#conduct/participants/language'
import { participant } from '#conduct/participants/scope'
import { trialTextsIn } from '#design/trials/rules'
import { operation } from '#http/operation'
import { partial, shape } from '#wire/schema'
import { cancelAppointment, changeAppointment, createAppointment } from './change'
import { Meeting, MeetingInput, Meetings, OpenedMeeting, PAGE, PageQuery } from './model'
import { joinWindow } from './rules'
import { linkedMeeting, meeting } from './scope'
import { type AppointmentRow, appointmentsOf } from './store'
import { meetingView, type ViewContext } from './views'

/** Wrong links that an address may try per minute. */
const WRONG_LINKS = 60

/** A meeting as its reader sees it. The link proves who enters the room: a key that may only read does not get it. */
function staffView(context: ViewContext & { caller: Staff }, row: AppointmentRow) {
  const { user, via } = context.caller
  const mayEnter = row.personnel.includes(user._id) && !('limits' in via && via.limits.isReadOnly)
  return meetingView(context, row, mayEnter ? { kind: 'staff', _id: user._id } : undefined)
}

const listMeetings = operation({
  id: 'listMeetings',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/meetings',
  summary: 'List the meetings of a participant',
  description: `By their start, ${PAGE} meetings a page.`,
  scope: participant,
  needs: 'trial.readParticipants',
  feature: 'videoCalls',
  query: PageQuery,
  returns: Meetings,
  run: (context) => {
    const { db, participant, query } = context
    const { page = 1 } = query
    const rows = appointmentsOf(db, participant._id, { isMeeting: true, limit: PAGE + 1, skip: (page - 1) * PAGE })
    const meetings = rows.slice(0, PAGE).map((row) => staffView(context, row))
    return { meetings, page, nextPageAvailable: rows.length > PAGE }
  },
})

const createMeeting = operation({
  id: 'createMeeting',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/meetings',
  summary: 'Create a meeting with a participant',
  description:
    'The participant and the personnel get their links at once, and again with the reminders a day and an hour before.',
  scope: participant,
  needs: 'trial.write',
  feature: 'videoCalls',
  logs: 'createMeeting',
  body: MeetingInput,
  secret: 'readable',
  returns: Meeting,
  run: (context) => {
    const { name, startAt, duration = null, personnel = [] } = context.body
    const fields = { title: name, description: null, startsAt: startAt, duration, personnel }
    return staffView(context, createAppointment(context, true, fields))
  },
})

const editMeeting = operation({
  id: 'updateMeeting',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/meetings/:meetingId',
  summary: 'Change or move a meeting',
  description:
    'If it moves, everybody who takes part gets a message, and it has reminders again. The links stay the same.',
  scope: meeting,
  needs: 'trial.write',
  feature: 'videoCalls',
  logs: 'updateMeeting',
  body: partial(MeetingInput),
  secret: 'readable',
  returns: Meeting,
  run: (context) => {
    const { name, startAt, ...rest } = context.body
    return staffView(
      context,
      changeAppointment(context, context.appointment, { title: name, startsAt: startAt, ...rest }),
    )
  },
})

const removeMeeting = operation({
  id: 'deleteMeeting',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/meetings/:meetingId',
  summary: 'Cancel a meeting',
  description: 'Everybody who takes part gets a message. The links stop working; calendars show it as cancelled.',
  scope: meeting,
  needs: 'trial.write',
  feature: 'videoCalls',
  logs: 'deleteMeeting',
  returns: shape({}),
  run: (context) => {
    cancelAppointment(context, context.appointment)
    return {}
  },
})

const openMeeting = operation({
  id: 'openMeetingLink',
  method: 'GET',
  path: '/meeting-links/:token',
  summary: 'Open a meeting by one’s own link',
  description: 'From 15 minutes before its start (403 until then) to an hour after its planned end (404 from then on).',
  who: 'anyone',
  scope: linkedMeeting,
  needs: 'nothing',
  feature: 'videoCalls',
  failures: WRONG_LINKS,
  returns: OpenedMeeting,
  run: (context) => {
    const { trial, appointment, person } = context
    const language = person.kind === 'participant' ? answerLanguage(context) : null
    const answer = {
      ...{
        _id: appointment._id,
        name: appointment.title,
        trialName: trialTextsIn(trial, language).name,
        startAt: appointment.startsAt,
      },
      joinUntil: joinWindow(appointment).joinUntil,
      person,
    }
    return withLanguages(trial, language, answer)
  },
})

export const meetingOperations = [listMeetings, createMeeting, editMeeting, removeMeeting, openMeeting] as const
