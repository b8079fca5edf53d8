/** The schedule of a trial: what happens on which day, for the participants whom its reader may see. */
import { type Access, holds, scopeOf } from '#access/caller'
import { featuresOf } from '#access/features'
import { pageOf } from '#conduct/participants/listStore'
import { passes } from '#conduct/participants/rules'
import { siteOf } from '#conduct/participants/searchStore'
import { participantViews } from '#conduct/participants/store'
import { tasksVisibleTo } from '#conduct/tasks/store'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { appointmentsAmong, appointmentsByTime } from './appointmentStore'
import { dayReaderOf } from './dayReader'
import type { DayRange, TimeRange } from './days'
import { type EntryType, entryTypes, MOST_A_DAY } from './model'
import { FEW, isWholeTrial, type ParticipantSelection } from './people'
import { idsOf, participantsBehind } from './peopleStore'
import { readVisits } from './readVisits'
import { tasksByDue } from './taskStore'
import type { DayReader } from './visits'

/** An entry of the schedule; which fields it has depends on its type (`ScheduleEntry`). */
export type Entry = {
  type: EntryType
  day: string
  at: Instant
  name: string
  participant: Id | null
  participantId: string | null
  _id?: Id
  stage?: Id
  stageRecurrence?: number
  completed?: boolean
  duration?: number | null
  personnel?: Id[]
  /** For calendars. */
  description?: string | null
  sequence?: number
  updatedAt?: Instant
  isCancelled?: boolean
}

/** A request for a schedule: the trial, the access of the reader, and the site or group if it is limited to one. */
type ScheduleRequest = { db: Db; trial: SharedTrial; access: Access; site?: Id | undefined; group?: Id | undefined }

/**
 * Whose schedule is read. `ids`: the participants, sorted; undefined if these are all of the trial, or too many to name.
 * `withCancelled`: with cancelled events and meetings, for calendars.
 */
export type ScheduleContext = Pick<ScheduleRequest, 'db' | 'trial' | 'access'> & {
  people: ParticipantSelection
  ids: Id[] | undefined
  withCancelled: boolean
}

/** Finds out whose schedule is read: that of the participants whom the reader may read. */
export function scheduleContextOf(
  { db, trial, access, site, group }: ScheduleRequest,
  withCancelled = false,
): ScheduleContext {
  const people: ParticipantSelection = { trial: trial._id, scope: scopeOf(access, ['readParticipants']), site, group }
  return { db, trial, access, people, ids: isWholeTrial(people) ? undefined : idsOf(db, people), withCancelled }
}

const noEntries = () => ({ entries: [], after: null })

/** The readers of all types of entries, for one window of time. Without their feature, there are no meetings. */
function readersOf(
  context: ScheduleContext,
  range: TimeRange,
): Record<EntryType, DayReader<Omit<Entry, 'type' | 'day'>>> {
  const { db, trial, access, people, ids, withCancelled } = context
  const { timeline } = configuration(db, trial)
  const visits = (isWindow: boolean) => readVisits({ db, timeline, people, isWindow }, ids, range)
  const appointments = (isMeeting: boolean) =>
    dayReaderOf(range, (chunk) => {
      const chunkQuery = { ...chunk, isMeeting, withCancelled }
      const few = ids && ids.length <= FEW
      const rows = few ? appointmentsAmong(db, ids, chunkQuery) : appointmentsByTime(db, people, chunkQuery)
      return rows.map(({ startsAt, title, cancelledAt, ...row }) => ({
        ...row,
        ...{ at: startsAt, name: title, isCancelled: cancelledAt !== null },
      }))
    })
  const visible = tasksVisibleTo(access, configuration(db, trial))
  const tasks = dayReaderOf(range, (chunk) => {
    const rows = holds(access, 'readTasks') ? tasksByDue(db, people, visible, chunk) : []
    return rows.map(({ task: { _id, title, dueDate, participant, assignees }, participantId }) => ({
      ...{ _id, name: title, at: dueDate!, participant, participantId, personnel: assignees },
    }))
  })
  return {
    meeting: featuresOf(db, trial.team).videoCalls ? appointments(true) : noEntries,
    event: appointments(false),
    task: tasks,
    window: visits(true),
    visit: visits(false),
  }
}

type MoreEntries = { type: EntryType; day: string; after: string }

/** About how many visits, and as many windows, an overview lists in all; and the fewest and the most for a day. */
const [OVERVIEW, FEWEST, MOST] = [160, 3, 20]

/** The most entries of a type that an overview of so many days lists for each day. */
const maxEntriesPerDay = (type: EntryType, days: number): number =>
  type === 'visit' || type === 'window' ? Math.max(FEWEST, Math.min(MOST, Math.ceil(OVERVIEW / days))) : MOST_A_DAY

/** The first entries of each day and type. */
export function overviewOf(context: ScheduleContext, days: readonly DayRange[], range: TimeRange) {
  const readers = readersOf(context, range)
  const schedule: Entry[] = []
  const more: MoreEntries[] = []
  for (const day of days) {
    for (const type of entryTypes) {
      const { entries, after } = readers[type](day, maxEntriesPerDay(type, days.length))
      for (const entry of entries.toSorted((a, b) => a.at - b.at)) schedule.push({ type, day: day.day, ...entry })
      if (after !== null) more.push({ type, day: day.day, after: `${day.day} ${after}` })
    }
  }
  return { schedule, more }
}

/** A page of the entries of one type. @param after a place that an earlier answer gave */
export function pageOfType(
  context: ScheduleContext,
  type: EntryType,
  days: readonly DayRange[],
  range: TimeRange,
  most: number,
  after = '',
) {
  const read = readersOf(context, range)[type]
  const [, from = '', place] = /^(\d{4}-\d\d-\d\d) (.*)$/s.exec(after) ?? []
  const schedule: Entry[] = []
  for (const day of days) {
    if (day.day < from) continue
    const found = read(day, most - schedule.length, day.day === from ? place : undefined)
    for (const entry of found.entries) schedule.push({ type, day: day.day, ...entry })
    if (found.after !== null) return { schedule, more: [{ type, day: day.day, after: `${day.day} ${found.after}` }] }
    // Nothing of the next day is known yet: it is read from its beginning.
    const next = days[days.indexOf(day) + 1]
    if (next && schedule.length === most) return { schedule, more: [{ type, day: next.day, after: `${next.day} ` }] }
  }
  return { schedule, more: [] }
}

/** What is overdue now: participants who are behind schedule, and tasks. */
export function overdueIn(context: ScheduleContext, now: Instant) {
  const { db, trial, access, people, ids } = context
  const { site, group } = people
  const flags = { scheduleBehind: true, withdrawnNotWithdrawn: true }
  const find = { scope: people.scope, ...(site ? { site } : {}), ...(group ? { include: [group] } : {}) }
  // Those of one site come from an index; to look at each participant would cost as much as the rest of the schedule.
  const behind = siteOf(find) === undefined ? ids && participantsBehind(db, ids) : undefined
  const page = behind
    ? { ids: behind.slice(0, MOST_A_DAY), total: behind.length }
    : pageOf(
        db,
        { trial: trial._id, passes: (facets) => passes(flags, facets), find, sort: 'createdAt', descending: false },
        0,
        MOST_A_DAY,
      )
  const late = { from: 0, to: now, at: 0, _id: '', limit: MOST_A_DAY }
  const visible = tasksVisibleTo(access, configuration(db, trial))
  const tasks = holds(access, 'readTasks') ? tasksByDue(db, people, visible, late) : []
  return {
    participants: participantViews(db, page.ids).map(({ _id, id, stagesBehindSchedule }) => ({
      ...{ participant: _id, participantId: id, stagesBehindSchedule },
    })),
    participantCount: page.total,
    tasks: tasks.map(({ task: { _id, title, dueDate, participant }, participantId }) => ({
      ...{ _id, title, dueDate: dueDate!, participant, participantId },
    })),
  }
}

/** The zone by whose days the schedule of a trial is arranged. */
export const scheduleZone = (trial: SharedTrial): string => zoneOf({ timezone: null }, trial)
