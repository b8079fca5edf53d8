/** The model of the schedule of a trial (docs/appointments.md, "The schedule"). */
import * as t from '#wire/schema'

/** The kinds of entries, in the order in which they are listed for each day. */
export const entryTypes = ['meeting', 'event', 'task', 'window', 'visit'] as const
export type EntryType = (typeof entryTypes)[number]

/** The most meetings, events or tasks for a day if all types are asked for, and the most entries in a page of one type. */
export const MOST_A_DAY = 50
export const PAGE = 200

export const ScheduleQuery = t.shape({
  from: t.maybe(t.withDescription('By default now', t.instant())),
  to: t.maybe(t.withDescription('By default 7 days after `from`, at most 92', t.instant())),
  type: t.maybe(t.withDescription('Only entries of this type', t.oneOf(...entryTypes))),
  site: t.maybe(t.withDescription('Only about participants of this site', t.id())),
  group: t.maybe(t.withDescription('Only about participants of this group', t.id())),
  after: t.maybe(t.withDescription('Goes on after the page whose `more` has this `after`', t.text(1, 500))),
})

const type = () =>
  t.withDescription(
    'visit: a form opens for a participant. window: the time to fill it in ends. task: a task is due.',
    t.oneOf(...entryTypes),
  )

const count = (most: number) => most * entryTypes.length * 93

const participant = {
  participant: t.withDescription('Null for a task that is about nobody', t.orNull(t.id())),
  participantId: t.orNull(t.oneLine(0, 200)),
}

const Entry = t.shape('ScheduleEntry', {
  type: type(),
  day: t.withDescription('The day in the zone of the trial', t.day()),
  at: t.instant(),
  name: t.withDescription('The title or name; of a visit or window the name of the form', t.text(0, 1000)),
  ...participant,
  _id: t.maybe(t.withDescription('Of the meeting, event or task', t.id())),
  stage: t.maybe(t.id()),
  stageRecurrence: t.maybe(t.whole(0)),
  completed: t.maybe(
    t.withDescription('Whether the form of a visit is submitted. Windows of submitted forms are left out', t.flag()),
  ),
  duration: t.maybe(t.withDescription('In minutes', t.orNull(t.whole(1)))),
  personnel: t.maybe(t.withDescription('Of a meeting or event, the assignees of a task', t.list(t.id()))),
})

const Overdue = t.shape('OverdueInSchedule', {
  participants: t.withDescription(
    `Those behind schedule, at most ${MOST_A_DAY}; the list of participants has all of them (\`scheduleBehind\`)`,
    t.list(
      t.shape('ParticipantBehind', {
        participant: t.id(),
        participantId: t.oneLine(0, 200),
        stagesBehindSchedule: t.whole(1),
      }),
      MOST_A_DAY,
    ),
  ),
  participantCount: t.whole(0),
  tasks: t.withDescription(
    `Tasks whose due date has passed, the longest first, at most ${MOST_A_DAY}`,
    t.list(
      t.shape('OverdueTask', { _id: t.id(), title: t.text(0, 500), dueDate: t.instant(), ...participant }),
      MOST_A_DAY,
    ),
  ),
})

export const Schedule = t.shape('Schedule', {
  from: t.instant(),
  to: t.instant(),
  zone: t.zone(),
  schedule: t.withDescription(
    `By day and type. Without \`type\`, the first of each day: at most ${MOST_A_DAY} meetings, events and tasks, and 3 to 20 visits and windows. With it, at most ${PAGE}.`,
    t.list(Entry, count(MOST_A_DAY)),
  ),
  more: t.withDescription(
    'What has more entries than are listed here: ask for its `type` with its `after`, and the same `from`, `to` and filters',
    t.list(t.shape('MoreInSchedule', { type: type(), day: t.day(), after: t.text(1, 500) }), count(1)),
  ),
  overdue: t.maybe(t.withDescription('As of now; missing if `type` or `after` is given', Overdue)),
})
