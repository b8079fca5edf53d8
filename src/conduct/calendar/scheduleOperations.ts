/** The schedule of a trial (docs/appointments.md, "The schedule"). */
import { isPossibleTime } from '#conduct/appointments/rules'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { DAY, type Instant } from '#kernel/time'
import { daysIn, type TimeRange } from './days'
import { PAGE, Schedule, ScheduleQuery } from './model'
import { overdueIn, overviewOf, pageOfType, scheduleContextOf, scheduleZone } from './schedule'

/** The longest window, in days, and the usual one. */
const [LONGEST, USUAL] = [92, 7]

/** The window that was asked for. @throws 422 if it is empty, too long or too far away */
function windowOf(now: Instant, { from = now, to = from + USUAL * DAY }: { from?: Instant; to?: Instant }): TimeRange {
  if (to <= from) throw refuse.invalid({ to: [reason('notAfterFrom')] }, 'query')
  if (to - from > LONGEST * DAY) throw refuse.invalid({ to: [reason('tooLongAfterFrom', { days: LONGEST })] }, 'query')
  if (!isPossibleTime(from)) throw refuse.invalid({ from: [reason('impossibleTime')] }, 'query')
  return { from, to }
}

const readSchedule = operation({
  id: 'readSchedule',
  method: 'GET',
  path: '/trials/:trialId/schedule',
  summary: 'Read what is to happen in a trial, by day',
  description:
    'Visits that open, windows that close, events, meetings, tasks, and what is overdue. Only about participants whom the ' +
    'caller may read; days are those of the zone of the trial.',
  scope: trial,
  needs: anywhere('trial.read'),
  limit: 30,
  reads: 'filter',
  query: ScheduleQuery,
  returns: Schedule,
  run: ({ db, trial, access, query, now }) => {
    const { type, site, group, after } = query
    const window = windowOf(now, query)
    const zone = scheduleZone(trial)
    const context = scheduleContextOf({ db, trial, access, site, group })
    const days = daysIn(window, zone)
    if (type) return { ...window, zone, ...pageOfType(context, type, days, window, PAGE, after) }
    return { ...window, zone, ...overviewOf(context, days, window), overdue: overdueIn(context, now) }
  },
})

export const scheduleOperations = [readSchedule] as const
