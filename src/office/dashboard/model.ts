/** How a trial is going, at a glance (docs/dashboard.md). */
import { id, instant, list, number, oneLine, orNull, shape, text, whole, withDescription } from '#wire/schema'

const month = () => text(7, 7)

const Recruitment = shape('Recruitment', {
  enrolled: whole(0),
  target: withDescription('The sum of the targets of the sites; null if none has one.', orNull(whole(1))),
  months: withDescription(
    'By month of registration (UTC), in order; months without anybody are left out.',
    list(shape('RecruitmentMonth', { month: month(), enrolled: whole(0), total: whole(0) }), 10_000),
  ),
  perMonth: withDescription(
    'The mean of the last three whole months; null before the first has ended.',
    orNull(number(0)),
  ),
  expectedMonth: withDescription(
    'When the target is reached if it goes on like this; null if that cannot be said.',
    orNull(month()),
  ),
})

const completion = {
  completed: withDescription('Forms that were submitted.', whole(0)),
  overdue: withDescription('Forms that are behind schedule.', whole(0)),
  share: withDescription('Those submitted among both; null if there are none.', orNull(number(0, 1))),
}

const StageCompletion = shape('StageCompletion', { stage: id(), name: oneLine(0, 200), ...completion })

const ages = ['under7', 'from7to13', 'from14to29', 'from30to89', 'from90'] as const
/** How many were raised so many days ago. */
const Ages = shape('QueriesByAge', {
  total: whole(0),
  under7: whole(0),
  from7to13: whole(0),
  from14to29: whole(0),
  from30to89: whole(0),
  from90: whole(0),
})
export type AgeGroup = (typeof ages)[number]

const queries = {
  open: withDescription('Open queries, by the days since they were raised.', Ages),
  answered: withDescription('Answered ones that nobody has closed yet.', Ages),
  resolution: withDescription(
    'Whole days from raising to closing.',
    shape('DaysToResolution', {
      n: whole(0),
      median: orNull(number(0)),
      lowerQuartile: orNull(number(0)),
      upperQuartile: orNull(number(0)),
    }),
  ),
}
const Queries = shape('QueryFigures', queries)

const SiteDashboard = shape('SiteDashboard', {
  site: id(),
  siteId: oneLine(2, 100),
  name: oneLine(2, 100),
  enrolled: whole(0),
  target: orNull(whole(1)),
  ...completion,
  stages: list(StageCompletion),
  queries: withDescription('Null without permission to read study data of the site.', orNull(Queries)),
})

const People = shape('ParticipantFigures', {
  total: withDescription('Participants who are not archived.', whole(0)),
  joined: withDescription('Who have signed in.', whole(0)),
  withdrawn: whole(0),
  behind: withDescription('Who are behind schedule, without those who were withdrawn.', whole(0)),
})

export const Dashboard = shape('Dashboard', {
  at: instant(),
  recruitment: Recruitment,
  participants: withDescription('Null for accounts that see some sites only.', orNull(People)),
  ...completion,
  stages: list(StageCompletion),
  sites: list(SiteDashboard, 1_000_000),
  queries: withDescription('Null without permission to read study data.', orNull(Queries)),
})
