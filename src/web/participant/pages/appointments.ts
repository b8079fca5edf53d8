/** What the calendar shows: events, meetings, and the forms that open or end. Pure. */
import type { OwnEvent, OwnMeeting, TimelineEntry } from './apiTypes'

export type Appointment = {
  id: string
  kind: 'event' | 'meeting' | 'form'
  title: string
  description: string | null
  /** In milliseconds. */
  starts: number
  /** In minutes; undefined if it is not known. */
  minutes: number | undefined
  people: readonly string[]
  /** Of a meeting: the link, and from when to when it works. */
  join?: { url: string; from: number; until: number }
  /** Of a form: its occurrence, and when it closes. */
  form?: { occurrence: string; closes: number | undefined }
}

const time = (text: string | null | undefined): number | undefined => (text ? Date.parse(text) : undefined)

const ofEvent = ({ _id, title, description, startsAt, duration, personnelNames }: OwnEvent): Appointment => ({
  id: _id,
  kind: 'event',
  title,
  description,
  starts: Date.parse(startsAt),
  minutes: duration ?? undefined,
  people: personnelNames,
})

const ofMeeting = (meeting: OwnMeeting): Appointment => {
  const { _id, name, startAt, duration, personnelNames, joinUrl, joinFrom, joinUntil } = meeting
  const join = joinUrl ? { url: joinUrl, from: Date.parse(joinFrom), until: Date.parse(joinUntil) } : undefined
  return {
    id: _id,
    kind: 'meeting',
    title: name,
    description: null,
    starts: Date.parse(startAt),
    minutes: duration ?? undefined,
    people: personnelNames,
    ...(join ? { join } : {}),
  }
}

function ofForm(entry: TimelineEntry): Appointment[] {
  const starts = time(entry.enableAt)
  if (entry.adHoc || entry.completed || starts === undefined) return []
  const { _id: occurrence, name: title, description } = entry
  const about = { title, description: description || null, starts, minutes: undefined, people: [] }
  return [{ id: occurrence, kind: 'form', ...about, form: { occurrence, closes: time(entry.expiresAt) } }]
}

/** Everything by its beginning. */
export const appointmentsOf = (
  events: readonly OwnEvent[],
  meetings: readonly OwnMeeting[],
  stages: readonly TimelineEntry[],
): Appointment[] =>
  [...events.map(ofEvent), ...meetings.map(ofMeeting), ...stages.flatMap(ofForm)].sort((a, b) => a.starts - b.starts)

const DEFAULT_MINUTES = 60

/** Whether it is still to come, or goes on. A form is listed until it opens: then it is on the first page. */
export const isToCome = ({ kind, starts, minutes }: Appointment, now: number): boolean =>
  kind === 'form' ? starts > now : starts + (minutes ?? DEFAULT_MINUTES) * 60_000 > now
