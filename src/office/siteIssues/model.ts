/** The models of issues that monitoring visits found (docs/monitoring.md, "Issues"). */
import { siteIssues } from '#db/tables/index'
import { PAGE } from '#office/siteRecords/page'
import * as t from '#wire/schema'

const { category, severity, status } = siteIssues

export const IssueInput = t.shape('SiteIssueInput', {
  name: t.withDescription('What is wrong.', t.oneLine(3, 1000)),
  category: t.maybe(t.orNull(t.oneOf(...category.enumValues))),
  severity: t.maybe(t.orNull(t.oneOf(...severity.enumValues))),
  status: t.maybe(t.withDescription('`unresolved` by default.', t.oneOf(...status.enumValues))),
  gcpNonCompliance: t.maybe(t.flag()),
  protocolNonCompliance: t.maybe(t.flag()),
  assignees: t.maybe(
    t.withDescription('They must be able to read the issue. New assignees get an e-mail.', t.list(t.id(), 1000)),
  ),
})

export const Issue = t.joinShapes(
  'SiteIssue',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    createdBy: t.id(),
    trial: t.id(),
    site: t.id(),
    visit: t.id(),
    resolvedAt: t.withDescription(
      'When its status became `resolved`; null while it is unresolved.',
      t.orNull(t.instant()),
    ),
    resolvedBy: t.withDescription('Who resolved it.', t.orNull(t.id())),
  }),
  IssueInput,
)

export const Issues = t.shape('SiteIssues', {
  siteMonitoringIssues: t.list(Issue, PAGE),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})
