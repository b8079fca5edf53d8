/** Secret links to one's own calendar, for calendar programs (docs/appointments.md, "Calendars"). */
import { refuseOnSharedDevice } from '#conduct/participantSessions/rules'
import { self } from '#conduct/participantSessions/scope'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import { anywhere, type Note, operation, type RequestContext } from '#http/operation'
import { newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { instant, orNull, shape, text, withDescription } from '#wire/schema'
import { endLink, type LinkOwner, linkOf, replaceLink } from './linkStore'

const CalendarLinkState = shape('CalendarLinkState', {
  createdAt: withDescription('When the current link was made; null if there is none', orNull(instant())),
})
const CalendarLink = shape('CalendarLink', {
  url: withDescription(
    'It is shown only now. Everybody who has it can read the calendar until it is deleted',
    text(1, 1000),
  ),
  createdAt: instant(),
})

type LinkContext = Pick<RequestContext, 'db' | 'origin' | 'now'> & { record(note: Note): void }

/** When the link was made that ends, for the audit entry; null if there is none. */
function endedLinkEvent(db: Db, owner: LinkOwner) {
  const current = linkOf(db, owner)
  return { ended: current ? instantText(current.createdAt) : null }
}

function newLink({ db, origin, now, record }: LinkContext, owner: LinkOwner) {
  const token = newSecret()
  record({ event: endedLinkEvent(db, owner) })
  replaceLink(db, owner, token, now)
  return { url: `${origin}/calendar/${token}.ics`, createdAt: now }
}

function removeLink({ db, record }: LinkContext, owner: LinkOwner) {
  record({ event: endedLinkEvent(db, owner) })
  if (!endLink(db, owner)) throw refuse.missing('link')
  return {}
}

const readLink = operation({
  id: 'readCalendarLink',
  method: 'GET',
  path: '/trials/:trialId/calendar-link',
  summary: 'Read whether one has a link to the calendar of a trial',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: CalendarLinkState,
  run: ({ db, trial, caller }) => ({
    createdAt: linkOf(db, { trial: trial._id, user: caller.user._id })?.createdAt ?? null,
  }),
})

const createLink = operation({
  id: 'createCalendarLink',
  method: 'POST',
  path: '/trials/:trialId/calendar-link',
  summary: 'Create a link to the schedule of a trial as an iCalendar file',
  description:
    'The file always shows what the account may see at that moment. A new link replaces the old one, which stops working.',
  scope: trial,
  needs: anywhere('trial.read'),
  logs: 'createCalendarLink',
  secret: true,
  returns: CalendarLink,
  run: (context) => newLink(context, { trial: context.trial._id, user: context.caller.user._id }),
})

const deleteLink = operation({
  id: 'deleteCalendarLink',
  method: 'DELETE',
  path: '/trials/:trialId/calendar-link',
  summary: 'Revoke one’s link to the calendar of a trial',
  scope: trial,
  needs: anywhere('trial.read'),
  logs: 'deleteCalendarLink',
  returns: shape({}),
  run: (context) => removeLink(context, { trial: context.trial._id, user: context.caller.user._id }),
})

const readOwnLink = operation({
  id: 'readOwnCalendarLink',
  method: 'GET',
  path: '/participants/calendar-link',
  summary: 'Read whether one has a link to one’s own calendar',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: CalendarLinkState,
  run: ({ db, trial, participant }) => ({
    createdAt: linkOf(db, { trial: trial._id, participant: participant._id })?.createdAt ?? null,
  }),
})

const createOwnLink = operation({
  id: 'createOwnCalendarLink',
  method: 'POST',
  path: '/participants/calendar-link',
  summary: 'Create a link to one’s own visits, events and meetings as an iCalendar file',
  description: 'A new link replaces the old one, which stops working. It ends with a new password, too.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  logs: 'createCalendarLink',
  secret: true,
  returns: CalendarLink,
  run: (context) => {
    refuseOnSharedDevice(context.caller)
    return newLink(context, { trial: context.trial._id, participant: context.participant._id })
  },
})

const deleteOwnLink = operation({
  id: 'deleteOwnCalendarLink',
  method: 'DELETE',
  path: '/participants/calendar-link',
  summary: 'Revoke the link to one’s own calendar',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  logs: 'deleteCalendarLink',
  returns: shape({}),
  run: (context) => removeLink(context, { trial: context.trial._id, participant: context.participant._id }),
})

export const calendarLinkOperations = [
  readLink,
  createLink,
  deleteLink,
  readOwnLink,
  createOwnLink,
  deleteOwnLink,
] as const
