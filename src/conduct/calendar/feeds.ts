/** The content of calendars: for a participant, and for a member of staff (docs/appointments.md, "Calendars"). */
import { type Access, holdsAnywhere, scopeOf } from '#access/caller'
import { featuresOf } from '#access/features'
import { joinUrl } from '#conduct/appointments/links'
import { MOST_OWN } from '#conduct/appointments/model'
import { DEFAULT_DURATION, ownWindow } from '#conduct/appointments/rules'
import { appointmentsBetween } from '#conduct/appointments/store'
import { ownConfiguration } from '#conduct/participants/language'
import type { ParticipantRow } from '#conduct/participants/store'
import { timelineInput } from '#conduct/timeline/progress'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { timelineOf } from '#design/schedule/rules'
import { trialNameFor, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { DAY, type Instant, MINUTE } from '#kernel/time'
import type { Writer } from '#texts/writer'
import { type CalendarEntry, calendarText } from '#writers/ics'
import { daysIn } from './days'
import { type PlannedVisit, plannedVisits } from './monitoringStore'
import { type Entry, overviewOf, scheduleContextOf, scheduleZone } from './schedule'
import { calendarTexts as texts } from './texts'

type FeedServices = Pick<Services, 'db' | 'seal' | 'publicUrl'>

/** The end of an appointment; undefined for an event without a duration. */
function endOf(at: Instant, isMeeting: boolean, duration: number | null | undefined): Instant | undefined {
  const minutes = duration ?? (isMeeting ? DEFAULT_DURATION : null)
  return minutes === null ? undefined : at + minutes * MINUTE
}

/** Unique in the world as `_id`s are, and without the name of the host, which may change. */
const uidOf = (...parts: readonly (string | number)[]) => `${parts.join('-')}@trialbox`

/** A participant's own visits, events and meetings: the last 30 and the next 180 days. */
export function participantCalendar(
  services: FeedServices,
  trial: SharedTrial,
  participant: ParticipantRow,
  now: Instant,
): string {
  const { db } = services
  const window = ownWindow(now, {})
  const kinds = featuresOf(db, trial.team).videoCalls ? {} : ({ of: 'events' } as const)
  const range = { ...window, ...kinds, withCancelled: true, limit: MOST_OWN }
  const appointments = appointmentsBetween(db, participant._id, range).map(
    ({ _id, isMeeting, ...row }): CalendarEntry => ({
      ...{ uid: uidOf(_id), updatedAt: row.updatedAt, sequence: row.sequence },
      ...{ startsAt: row.startsAt, endsAt: endOf(row.startsAt, isMeeting, row.duration) },
      ...{ summary: row.title, description: row.description, isBusy: true, isCancelled: row.cancelledAt !== null },
      url: isMeeting
        ? joinUrl(services.seal, services.publicUrl, _id, { kind: 'participant', _id: participant._id })
        : null,
    }),
  )
  const visits = participant.isWithdrawn ? [] : ownVisits(services, trial, participant, now, window)
  return calendarText(trialNameFor(trial, participant), [...appointments, ...visits])
}

/** It is not stored when a visit was last moved. `updatedAt` is the current time, so that programs do not keep an older time. */
function ownVisits(
  services: FeedServices,
  trial: SharedTrial,
  participant: ParticipantRow,
  now: Instant,
  { from, to }: { from: Instant; to: Instant },
): CalendarEntry[] {
  const { timeline } = ownConfiguration(services.db, trial, participant)
  const writer = writerOf(trial, participant.language)
  const input = timelineInput(services.db, participant, trial, now)
  return timelineOf(timeline, input).flatMap(
    ({ visible, adHoc, enableAt, expiresAt, name, stage, stageRecurrence }) => {
      if (!visible || adHoc || enableAt === null || enableAt < from || enableAt >= to) return []
      const description = expiresAt == null ? null : texts.openUntil(writer, input.zone, expiresAt)
      const uid = uidOf(participant._id, stage, stageRecurrence ?? 0)
      return { uid, updatedAt: now, sequence: 0, startsAt: enableAt, summary: name, description }
    },
  )
}

/** The window of the calendar of staff: from a week ago, 92 days. */
const [BEFORE, AFTER] = [7 * DAY, 85 * DAY]

/** The schedule of a trial as a member of staff may see it now; undefined if they may not. */
export function staffCalendar(
  services: FeedServices,
  trial: SharedTrial,
  user: Id,
  access: Access | undefined,
  now: Instant,
): string | undefined {
  if (!access || !holdsAnywhere(access, 'read')) return undefined
  const range = { from: now - BEFORE, to: now + AFTER }
  const days = daysIn(range, scheduleZone(trial))
  const { schedule, more } = overviewOf(scheduleContextOf({ db: services.db, trial, access }, true), days, range)
  const writer = writerOf(trial, rowById(services.db, users, user)!.language)
  const entries = schedule.map((entry) => staffEntry(services, user, writer, now, entry))
  const rest = more.map(({ type, day }) => ({
    ...{ uid: uidOf(trial._id, type, day), updatedAt: now, sequence: 0 },
    ...{ startsAt: day, summary: texts.more(writer, type) },
  }))
  const monitoring = plannedVisits(services.db, trial._id, scopeOf(access, ['readSites']), range.from, range.to)
  return calendarText(trial.name, [
    ...entries,
    ...rest,
    ...monitoring.map((visit) => monitoringEntry(writer, user, visit)),
  ])
}

function monitoringEntry(writer: Writer, user: Id, visit: PlannedVisit): CalendarEntry {
  const { _id, id, siteName, updatedAt, scheduledAt, duration, assignees } = visit
  return {
    ...{ uid: uidOf(_id), updatedAt, sequence: 0, startsAt: scheduledAt, endsAt: endOf(scheduledAt, false, duration) },
    ...{ summary: texts.monitoring(writer, siteName, id), isBusy: assignees.includes(user) },
  }
}

function staffEntry(services: FeedServices, user: Id, writer: Writer, now: Instant, entry: Entry): CalendarEntry {
  const { type, at, name, participant, participantId, _id, stage, stageRecurrence, personnel } = entry
  const isOwn = personnel?.includes(user) ?? false
  const hasLink = type === 'meeting' && isOwn
  return {
    uid: _id ? uidOf(_id) : uidOf(participant!, stage!, stageRecurrence!, type),
    updatedAt: entry.updatedAt ?? now,
    sequence: entry.sequence ?? 0,
    startsAt: at,
    endsAt: endOf(at, type === 'meeting', entry.duration),
    summary: texts.summary(writer, type, participantId, name),
    description: entry.description,
    url: hasLink ? joinUrl(services.seal, services.publicUrl, _id!, { kind: 'staff', _id: user }) : null,
    isBusy: isOwn && type !== 'task',
    isCancelled: entry.isCancelled,
  }
}
