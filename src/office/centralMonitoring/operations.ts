import { sitesOf } from '#design/sites/store'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { storedInsights } from '#office/insights/trial/store'
import { CentralMonitoring } from './model'

const MESSAGE =
  'Computed with the insights on the trial: POST /trials/:trialId/insights computes them now. An unusual share is a reason to look, not a finding.'

const readCentralMonitoring = operation({
  id: 'readCentralMonitoring',
  method: 'GET',
  path: '/trials/:trialId/central-monitoring',
  summary: 'Read how the sites of a trial differ',
  description:
    'For each site the shares of missing fields, late forms, fields with queries, last digits of 0 or 5, and repeated values, each compared with all other sites.',
  scope: trial,
  needs: 'trial.readParticipantStudyData',
  returns: CentralMonitoring,
  run: ({ db, trial }) => {
    const kept = storedInsights(db, trial._id, '')
    const bySite = Map.groupBy(kept?.comparisons ?? [], ({ site }) => site)
    return {
      computedAt: kept?.computedAt ?? null,
      message: MESSAGE,
      comparisons: kept?.comparisons.filter(({ p }) => p !== null).length ?? 0,
      sites: sitesOf(db, trial._id, 'all').flatMap(({ _id, id, name }) => {
        const indicators = bySite.get(_id)
        if (!indicators) return []
        const shown = indicators.map((each) => ({ ...each, share: each.of ? each.count / each.of : null }))
        return [{ site: _id, siteId: id, name, indicators: shown }]
      }),
    }
  },
})

export const centralMonitoringOperations = [readCentralMonitoring] as const
