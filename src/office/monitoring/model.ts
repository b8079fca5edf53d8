/** The models of monitoring visits (docs/monitoring.md, "Visits"). */
import { monitoringVisits } from '#db/tables/index'
import { PAGE } from '#office/siteRecords/page'
import * as t from '#wire/schema'

const { category, priority, status } = monitoringVisits

export const VisitInput = t.shape('MonitoringVisitInput', {
  id: t.withDescription("The visit's own identifier. Unique in its site, ignoring case.", t.oneLine(2, 100)),
  category: t.maybe(
    t.withDescription(
      '`mv`: a monitoring visit, the default. `ssv`: a site selection visit.',
      t.oneOf(...category.enumValues),
    ),
  ),
  priority: t.maybe(t.orNull(t.oneOf(...priority.enumValues))),
  status: t.maybe(t.withDescription('`pending` by default.', t.oneOf(...status.enumValues))),
  scheduledAt: t.maybe(t.orNull(t.instant())),
  completedAt: t.maybe(
    t.withDescription(
      'Only of a completed visit: by default when its status became `completed`. A visit that is pending again loses it.',
      t.orNull(t.instant()),
    ),
  ),
  duration: t.maybe(t.withDescription('In minutes.', t.orNull(t.whole(0, 1000)))),
  assignees: t.maybe(
    t.withDescription('They must be able to read the visit. New assignees get an e-mail.', t.list(t.id(), 1000)),
  ),
  notes: t.maybe(t.orNull(t.text(0, 1000))),
})
export type VisitInput = t.ValueOf<typeof VisitInput>

const SourceVerification = t.shape('SourceVerification', {
  fields: t.withDescription(
    'The fields with an entry, of all participants of the site: now, or when the visit was completed.',
    t.whole(0),
  ),
  verified: t.withDescription('Those of them that were verified.', t.whole(0)),
  verifiedDuring: t.withDescription('The fields that were marked as verified from `from` until `to`.', t.whole(0)),
  from: t.withDescription(
    'The start of the day on which the visit was to begin, in the zone of the trial; null before that day.',
    t.orNull(t.instant()),
  ),
  to: t.withDescription('The end of the day of its completion, or of today.', t.orNull(t.instant())),
})

export const Visit = t.joinShapes(
  'MonitoringVisit',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    createdBy: t.id(),
    updatedAt: t.instant(),
    trial: t.id(),
    site: t.id(),
    isOverdue: t.withDescription('Whether it is pending after its planned end.', t.flag()),
    issueCount: t.whole(0),
    openIssueCount: t.withDescription('Those of its issues that are not resolved.', t.whole(0)),
    sourceVerification: t.withDescription(
      'Null for accounts that may not see all participants of the site.',
      t.orNull(SourceVerification),
    ),
  }),
  VisitInput,
)

export const Visits = t.shape('MonitoringVisits', {
  siteMonitoring: t.list(Visit, PAGE),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})
