import { noPlaces, scopeOf, type VisibleScope } from '#access/caller'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { sitesWithEnrolment } from '#design/sites/store'
import { type TrialScope, trial } from '#design/trials/scope'
import { anywhere, operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { monthsOf } from '#office/enrolment/store'
import { sum } from '#office/statistics/samples'
import { Dashboard } from './model'
import { completionOf, peopleOf, queriesOf, recruitmentOf } from './rules'
import {
  facetsOf,
  monthsOfTrial,
  type QueryFigure,
  queriedDataTypes,
  queryFiguresOf,
  stageFiguresOf,
  WHOLE_TRIAL,
} from './store'

type DashboardContext = Pick<RequestContext, 'db' | 'now'> & TrialScope

/**
 * The queries of each of these sites, without those on fields that are hidden from the reader there. Sites where the reader may not read
 * study data have none.
 */
function queriesBySite({ db, trial, access }: DashboardContext, sites: readonly Id[]): Map<Id, QueryFigure[]> {
  const config = configuration(db, trial)
  const readable = scopeOf(access, ['readParticipantStudyData'])
  const queried = queriedDataTypes(db, trial._id)
  const hiddenAt = (site: Id): string => {
    const hidden = hiddenFrom(config, access, site === WHOLE_TRIAL ? noPlaces : { sites: [site], groups: [] })
    return JSON.stringify(queried.filter(hidden))
  }
  const mayRead = sites.filter((site) => readable === 'all' || readable.sites.includes(site))
  const sitesByHidden = Map.groupBy(mayRead, hiddenAt)
  const rows = [...sitesByHidden].flatMap(([hidden, some]) => queryFiguresOf(db, trial._id, some, JSON.parse(hidden)))
  const bySite = new Map<Id, QueryFigure[]>(mayRead.map((site) => [site, []]))
  for (const row of rows) bySite.get(row.site)!.push(row)
  return bySite
}

/** Everything at the sites that the reader may see. */
function dashboardOf(context: DashboardContext, scope: VisibleScope) {
  const { db, now, trial, access } = context
  const sites = sitesWithEnrolment(db, trial._id, access, scope)
  const ids = sites.map(({ _id }) => _id)
  // The whole trial is not the sum of its sites: participants may belong to several, or to none.
  const all = scope === 'all' ? [WHOLE_TRIAL] : ids
  const figures = stageFiguresOf(db, trial._id, scope === 'all' ? [WHOLE_TRIAL, ...ids] : ids)
  const queries = queriesBySite(context, scope === 'all' ? [WHOLE_TRIAL, ...ids] : ids)
  const queriesAt = (some: readonly Id[]) => {
    const readable = some.filter((site) => queries.has(site))
    return readable.length
      ? queriesOf(
          readable.flatMap((site) => queries.get(site)!),
          now,
        )
      : null
  }
  const { stageOrder } = configuration(db, trial)
  const bySite = Map.groupBy(figures, ({ site }) => site)
  const stagesAt = (some: readonly Id[]) => {
    const byStage = Map.groupBy(
      some.flatMap((site) => bySite.get(site) ?? []),
      ({ stage }) => stage,
    )
    return stageOrder.map(({ _id, name }) => ({ stage: _id, name, ...completionOf(byStage.get(_id) ?? []) }))
  }
  const targets = sites.flatMap(({ enrolmentTarget }) => enrolmentTarget ?? [])
  const months = scope === 'all' ? monthsOfTrial(db, trial._id) : monthsOf(db, ids)
  const whole = stagesAt(all)
  return {
    at: now,
    recruitment: recruitmentOf(months, targets.length ? sum(targets) : null, now),
    participants: scope === 'all' ? peopleOf(facetsOf(db, trial._id)) : null,
    ...completionOf(whole),
    stages: whole,
    sites: sites.map(({ _id, id, name, enrolled, enrolmentTarget }) => {
      const stages = stagesAt([_id])
      const about = { site: _id, siteId: id, name, enrolled: enrolled ?? 0, target: enrolmentTarget }
      return { ...about, ...completionOf(stages), stages, queries: queriesAt([_id]) }
    }),
    queries: queriesAt(all),
  }
}

const readDashboard = operation({
  id: 'readDashboard',
  method: 'GET',
  path: '/trials/:trialId/dashboard',
  summary: 'Read how a trial is going',
  description:
    'Recruitment against the target, completion by site and stage, overdue forms, queries by age and how long they take. Accounts that are limited to sites see these, and sums over them; a participant of two sites counts in each.',
  scope: trial,
  needs: anywhere('trial.readParticipants'),
  returns: Dashboard,
  run: (context) => {
    const scope = scopeOf(context.access, ['readParticipants'])
    if (scope !== 'all' && !scope.sites.length) throw refuse.forbidden('dashboardOfSites')
    return dashboardOf(context, scope)
  },
})

export const dashboardOperations = [readDashboard] as const
