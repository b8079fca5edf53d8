/** The model of the schedule of a trial (docs/appointments.md, "The schedule"). */
import {
  day,
  flag,
  id,
  instant,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
  zone,
} from '#wire/schema'

/** The kinds of entries, in the order in which they are listed for each day. */
export const entryTypes = ['meeting', 'event', 'task', 'window', 'visit'] as const
export type EntryType = (typeof entryTypes)[number]

/** The most meetings, events or tasks for a day if all types are asked for, and the most entries in a page of one type. */
export const MOST_A_DAY = 50
export const PAGE = 200

export const ScheduleQuery = shape({
  from: maybe(withDescription('By default now', instant())),
  to: maybe(withDescription('By default 7 days after `from`, at most 92', instant())),
  type: maybe(withDescription('Only entries of this type', oneOf(...entryTypes))),
  site: maybe(withDescription('Only about participants of this site', id())),
  group: maybe(withDescription('Only about participants of this group', id())),
  after: maybe(withDescription('Goes on after the page whose `more` has this `after`', text(1, 500))),
})

const type = () =>
  withDescription(
    'visit: a form opens for a participant. window: the time to fill it in ends. task: a task is due.',
    oneOf(...entryTypes),
  )

const count = (most: number) => most * entryTypes.length * 93

const participant = {
  participant: withDescription('Null for a task that is about nobody', orNull(id())),
  participantId: orNull(oneLine(0, 200)),
}

const Entry = shape('ScheduleEntry', {
  type: type(),
  day: withDescription('The day in the zone of the trial', day()),
  at: instant(),
  name: withDescription('The title or name; of a visit or window the name of the form', text(0, 1000)),
  ...participant,
  _id: maybe(withDescription('Of the meeting, event or task', id())),
  stage: maybe(id()),
  stageRecurrence: maybe(whole(0)),
  completed: maybe(
    withDescription('Whether the form of a visit is submitted. Windows of submitted forms are left out', flag()),
  ),
  duration: maybe(withDescription('In minutes', orNull(whole(1)))),
  personnel: maybe(withDescription('Of a meeting or event, the assignees of a task', list(id()))),
})

const Overdue = shape('OverdueInSchedule', {
  participants: withDescription(
    `Those behind schedule, at most ${MOST_A_DAY}; the list of participants has all of them (\`scheduleBehind\`)`,
    list(
      shape('ParticipantBehind', { participant: id(), participantId: oneLine(0, 200), stagesBehindSchedule: whole(1) }),
      MOST_A_DAY,
    ),
  ),
  participantCount: whole(0),
  tasks: withDescription(
    `Tasks whose due date has passed, the longest first, at most ${MOST_A_DAY}`,
    list(shape('OverdueTask', { _id: id(), title: text(0, 500), dueDate: instant(), ...participant }), MOST_A_DAY),
  ),
})

export const Schedule = shape('Schedule', {
  from: instant(),
  to: instant(),
  zone: zone(),
  schedule: withDescription(
    `By day and type. Without \`type\`, the first of each day: at most ${MOST_A_DAY} meetings, events and tasks, and 3 to 20 visits and windows. With it, at most ${PAGE}.`,
    list(Entry, count(MOST_A_DAY)),
  ),
  more: withDescription(
    'What has more entries than are listed here: ask for its `type` with its `after`, and the same `from`, `to` and filters',
    list(shape('MoreInSchedule', { type: type(), day: day(), after: text(1, 500) }), count(1)),
  ),
  overdue: maybe(withDescription('As of now; missing if `type` or `after` is given', Overdue)),
})
