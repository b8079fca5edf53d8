/** How many participants the sites of a trial have enrolled, and were to (docs/monitoring.md, "Enrolment"). */
import { sites } from '#db/tables/index'
import { id, list, maybe, oneLine, oneOf, orNull, shape, text, whole, withDescription } from '#wire/schema'

const EnrolmentMonth = shape('EnrolmentMonth', {
  month: withDescription('`YYYY-MM` of the registration, in UTC.', text(7, 7)),
  enrolled: whole(0),
  total: withDescription('Together with all months before.', whole(0)),
})

const SiteEnrolment = shape('SiteEnrolment', {
  site: id(),
  siteId: oneLine(2, 100),
  name: oneLine(2, 100),
  activityStatus: orNull(oneOf(...sites.activityStatus.enumValues)),
  enrolmentTarget: orNull(whole(1)),
  enrolled: withDescription('Null for accounts that may not see all participants of the site.', orNull(whole(0))),
  months: withDescription('The months in which anybody was enrolled, in order.', list(EnrolmentMonth, 10_000)),
})

export const Enrolment = shape('Enrolment', {
  sites: list(SiteEnrolment, 1_000_000),
  enrolmentTarget: withDescription('The sum of the targets of these sites; null if none has one.', orNull(whole(1))),
  enrolled: withDescription(
    'The sum over these sites: a participant who belongs to two of them counts in each.',
    whole(0),
  ),
})

export const EnrolmentQuery = shape({ format: maybe(oneOf('json', 'csv')) })
export const EnrolmentCsv = shape('EnrolmentCsv', { csv: text(0, 100_000_000) })
