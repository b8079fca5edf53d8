/** The models of events and meetings (docs/appointments.md). */
import { TextLanguages } from '#design/translations/textLanguages'
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const personnel = maybe(
  withDescription('The staff who take part. They must be able to see the participant.', list(id(), 100)),
)
const DAY_MINUTES = 24 * 60

export const EventInput = shape('EventInput', {
  title: text(1, 500),
  description: maybe(orNull(text(0, 5000))),
  startsAt: instant(),
  duration: maybe(withDescription('In minutes', orNull(whole(1, DAY_MINUTES)))),
  personnel,
})

export const MeetingInput = shape('MeetingInput', {
  name: oneLine(1, 500),
  startAt: instant(),
  duration: maybe(withDescription('In minutes; null counts as 60', orNull(whole(1, DAY_MINUTES)))),
  personnel,
})

const creation = shape({ _id: id(), createdAt: instant(), createdBy: id(), updatedAt: instant(), participant: id() })

export const ParticipantEvent = joinShapes('ParticipantEvent', creation, EventInput)

const joining = {
  joinUrl: withDescription(
    'The caller’s own link to the meeting; null for staff who do not take part. Each person has another one.',
    orNull(text(1, 1000)),
  ),
  joinFrom: withDescription('The link is valid from here', instant()),
  joinUntil: withDescription('to here', instant()),
}

export const Meeting = joinShapes('Meeting', joinShapes(creation, MeetingInput), shape(joining))

/** The most appointments in a page: few participants have a second one. */
export const PAGE = 500
const page = { page: whole(1), nextPageAvailable: flag() }

export const PageQuery = shape({ page: maybe(whole(1, 1_000_000)) })
export const Events = shape('ParticipantEvents', { events: list(ParticipantEvent, PAGE), ...page })
export const Meetings = shape('Meetings', { meetings: list(Meeting, PAGE), ...page })

const ownPersonnel = {
  personnel: list(id(), 100),
  personnelNames: withDescription('The names of these people', list(text(0, 500), 100)),
}

/** An event as its participant sees it. */
export const OwnEvent = shape('OwnEvent', {
  _id: id(),
  title: text(1, 500),
  description: orNull(text(0, 5000)),
  startsAt: instant(),
  duration: orNull(whole(1)),
  ...ownPersonnel,
})

/** A meeting as its participant sees it. */
export const OwnMeeting = shape('OwnMeeting', {
  _id: id(),
  name: oneLine(1, 500),
  startAt: instant(),
  duration: orNull(whole(1)),
  ...ownPersonnel,
  ...joining,
})

/** The most events and meetings in the answer to a participant. */
export const MOST_OWN = 1000

export const OwnWindow = shape({
  from: maybe(withDescription('By default 30 days ago', instant())),
  to: maybe(withDescription('By default in 180 days', instant())),
})
export const OwnEvents = shape('OwnEvents', { participantEvents: list(OwnEvent, MOST_OWN) })
export const OwnMeetings = shape('OwnMeetings', { meetings: list(OwnMeeting, MOST_OWN) })

/** The meeting that a link opens, and for whom. */
export const OpenedMeeting = shape('OpenedMeeting', {
  _id: id(),
  name: oneLine(1, 500),
  trialName: text(0, 500),
  startAt: instant(),
  joinUntil: instant(),
  texts: TextLanguages,
  person: shape({
    kind: oneOf('participant', 'staff'),
    name: withDescription('The participant ID, or the name of the member of staff', oneLine(0, 500)),
  }),
})
