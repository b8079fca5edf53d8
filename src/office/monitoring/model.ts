/** The models of monitoring visits (docs/monitoring.md, "Visits"). */
import { monitoringVisits } from '#db/tables/index'
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
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const { category, priority, status } = monitoringVisits

export const VisitInput = shape('MonitoringVisitInput', {
  id: withDescription("The visit's own identifier. Unique in its site, ignoring case.", oneLine(2, 100)),
  category: maybe(
    withDescription(
      '`mv`: a monitoring visit, the default. `ssv`: a site selection visit.',
      oneOf(...category.enumValues),
    ),
  ),
  priority: maybe(orNull(oneOf(...priority.enumValues))),
  status: maybe(withDescription('`pending` by default.', oneOf(...status.enumValues))),
  scheduledAt: maybe(orNull(instant())),
  completedAt: maybe(
    withDescription(
      'Only of a completed visit: by default when its status became `completed`. A visit that is pending again loses it.',
      orNull(instant()),
    ),
  ),
  duration: maybe(withDescription('In minutes.', orNull(whole(0, 1000)))),
  assignees: maybe(
    withDescription('They must be able to read the visit. New assignees get an e-mail.', list(id(), 1000)),
  ),
  notes: maybe(orNull(text(0, 1000))),
})
export type VisitInput = ValueOf<typeof VisitInput>

const SourceVerification = shape('SourceVerification', {
  fields: withDescription(
    'The fields with an entry, of all participants of the site: now, or when the visit was completed.',
    whole(0),
  ),
  verified: withDescription('Those of them that were verified.', whole(0)),
  verifiedDuring: withDescription('The fields that were marked as verified from `from` until `to`.', whole(0)),
  from: withDescription(
    'The start of the day on which the visit was to begin, in the zone of the trial; null before that day.',
    orNull(instant()),
  ),
  to: withDescription('The end of the day of its completion, or of today.', orNull(instant())),
})

export const Visit = joinShapes(
  'MonitoringVisit',
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: id(),
    updatedAt: instant(),
    trial: id(),
    site: id(),
    isOverdue: withDescription('Whether it is pending after its planned end.', flag()),
    issueCount: whole(0),
    openIssueCount: withDescription('Those of its issues that are not resolved.', whole(0)),
    sourceVerification: withDescription(
      'Null for accounts that may not see all participants of the site.',
      orNull(SourceVerification),
    ),
  }),
  VisitInput,
)

export const Visits = shape('MonitoringVisits', {
  siteMonitoring: list(Visit, PAGE),
  page: whole(1),
  nextPageAvailable: flag(),
})
