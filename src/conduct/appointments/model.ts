/** The models of events and meetings (docs/appointments.md). */
import { TextLanguages } from '#design/translations/textLanguages'
import * as t from '#wire/schema'

const personnel = t.maybe(
  t.withDescription('The staff who take part. They must be able to see the participant.', t.list(t.id(), 100)),
)
const DAY_MINUTES = 24 * 60

export const EventInput = t.shape('EventInput', {
  title: t.text(1, 500),
  description: t.maybe(t.orNull(t.text(0, 5000))),
  startsAt: t.instant(),
  duration: t.maybe(t.withDescription('In minutes', t.orNull(t.whole(1, DAY_MINUTES)))),
  personnel,
})

export const MeetingInput = t.shape('MeetingInput', {
  name: t.oneLine(1, 500),
  startAt: t.instant(),
  duration: t.maybe(t.withDescription('In minutes; null counts as 60', t.orNull(t.whole(1, DAY_MINUTES)))),
  personnel,
})

const creation = t.shape({
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  updatedAt: t.instant(),
  participant: t.id(),
})

export const ParticipantEvent = t.joinShapes('ParticipantEvent', creation, EventInput)

const joining = {
  joinUrl: t.withDescription(
    'The caller’s own link to the meeting; null for staff who do not take part. Each person has another one.',
    t.orNull(t.text(1, 1000)),
  ),
  joinFrom: t.withDescription('The link is valid from here', t.instant()),
  joinUntil: t.withDescription('to here', t.instant()),
}

export const Meeting = t.joinShapes('Meeting', t.joinShapes(creation, MeetingInput), t.shape(joining))

/** The most appointments in a page: few participants have a second one. */
export const PAGE = 500
const page = { page: t.whole(1), nextPageAvailable: t.flag() }

export const PageQuery = t.shape({ page: t.maybe(t.whole(1, 1_000_000)) })
export const Events = t.shape('ParticipantEvents', { events: t.list(ParticipantEvent, PAGE), ...page })
export const Meetings = t.shape('Meetings', { meetings: t.list(Meeting, PAGE), ...page })

const ownPersonnel = {
  personnel: t.list(t.id(), 100),
  personnelNames: t.withDescription('The names of these people', t.list(t.text(0, 500), 100)),
}

/** An event as its participant sees it. */
export const OwnEvent = t.shape('OwnEvent', {
  _id: t.id(),
  title: t.text(1, 500),
  description: t.orNull(t.text(0, 5000)),
  startsAt: t.instant(),
  duration: t.orNull(t.whole(1)),
  ...ownPersonnel,
})

/** A meeting as its participant sees it. */
const OwnMeeting = t.shape('OwnMeeting', {
  _id: t.id(),
  name: t.oneLine(1, 500),
  startAt: t.instant(),
  duration: t.orNull(t.whole(1)),
  ...ownPersonnel,
  ...joining,
})

/** The most events and meetings in the answer to a participant. */
export const MOST_OWN = 1000

export const OwnWindow = t.shape({
  from: t.maybe(t.withDescription('By default 30 days ago', t.instant())),
  to: t.maybe(t.withDescription('By default in 180 days', t.instant())),
})
export const OwnEvents = t.shape('OwnEvents', { participantEvents: t.list(OwnEvent, MOST_OWN) })
export const OwnMeetings = t.shape('OwnMeetings', { meetings: t.list(OwnMeeting, MOST_OWN) })

/** The meeting that a link opens, and for whom. */
export const OpenedMeeting = t.shape('OpenedMeeting', {
  _id: t.id(),
  name: t.oneLine(1, 500),
  trialName: t.text(0, 500),
  startAt: t.instant(),
  joinUntil: t.instant(),
  texts: TextLanguages,
  person: t.shape({
    kind: t.oneOf('participant', 'staff'),
    name: t.withDescription('The participant ID, or the name of the member of staff', t.oneLine(0, 500)),
  }),
})
