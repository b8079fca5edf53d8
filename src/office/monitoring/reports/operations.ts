import { wholeSiteVisibleTo } from '#access/places'
import { site } from '#design/sites/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { visit } from '#office/monitoring/scope'
import { READ } from '#office/siteRecords/place'
import { shape } from '#wire/schema'
import { LogReport, ReportJob } from './model'
import { startReport } from './start'

const exportVisit = operation({
  id: 'exportVisitReport',
  method: 'POST',
  path: '/site-monitoring/:visitId/report',
  summary: 'Write the report of a monitoring visit as PDF',
  description:
    'A job. Its result holds `request`, a link for one day: the visit and its issues, how much of the source data is verified, what changed since the visit before, and lines to sign on. In the language of the caller.',
  scope: visit,
  needs: READ,
  logs: 'exportVisitReport',
  body: shape({}),
  returns: ReportJob,
  run: (context) => {
    const { _id, site } = context.visit
    if (!wholeSiteVisibleTo(context.access, site)) throw refuse.missingPermission(['trial.readParticipants'])
    const started = startReport(context, { report: 'visit', site, visit: _id })
    context.record({ event: { format: 'pdf', ...started } })
    return started
  },
})

const exportLog = operation({
  id: 'exportSiteLog',
  method: 'POST',
  path: '/sites/:siteId/reports',
  summary: 'Write the delegation log or the training log of a site as PDF',
  description: 'A job. Its result holds `request`, a link for one day. In the language of the caller.',
  scope: site,
  needs: READ,
  logs: 'exportSiteLog',
  body: LogReport,
  returns: ReportJob,
  run: (context) => {
    const { log: report } = context.body
    const started = startReport(context, { report, site: context.site._id, visit: null })
    context.record({ event: { format: 'pdf', log: report, ...started } })
    return started
  },
})

export const siteReportOperations = [exportVisit, exportLog] as const
