/** Requests for reports on a site as PDF (docs/monitoring.md, "Reports"). */
import { id, oneOf, shape, withDescription } from '#wire/schema'

export const LogReport = shape('SiteLogReport', {
  log: withDescription('Which log is to be written.', oneOf('delegations', 'trainings')),
})

export const ReportJob = shape('SiteReportJob', { jobId: id() })
