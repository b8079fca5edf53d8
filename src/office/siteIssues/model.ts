/** The models of issues that monitoring visits found (docs/monitoring.md, "Issues"). */
import { siteIssues } from '#db/tables/index'
import { PAGE } from '#office/siteRecords/page'
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  whole,
  withDescription,
} from '#wire/schema'

const { category, severity, status } = siteIssues

export const IssueInput = shape('SiteIssueInput', {
  name: withDescription('What is wrong.', oneLine(3, 1000)),
  category: maybe(orNull(oneOf(...category.enumValues))),
  severity: maybe(orNull(oneOf(...severity.enumValues))),
  status: maybe(withDescription('`unresolved` by default.', oneOf(...status.enumValues))),
  gcpNonCompliance: maybe(flag()),
  protocolNonCompliance: maybe(flag()),
  assignees: maybe(
    withDescription('They must be able to read the issue. New assignees get an e-mail.', list(id(), 1000)),
  ),
})

export const Issue = joinShapes(
  'SiteIssue',
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: id(),
    trial: id(),
    site: id(),
    visit: id(),
    resolvedAt: withDescription('When its status became `resolved`; null while it is unresolved.', orNull(instant())),
    resolvedBy: withDescription('Who resolved it.', orNull(id())),
  }),
  IssueInput,
)

export const Issues = shape('SiteIssues', {
  siteMonitoringIssues: list(Issue, PAGE),
  page: whole(1),
  nextPageAvailable: flag(),
})
