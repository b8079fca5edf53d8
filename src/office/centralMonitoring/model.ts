/** How the sites of a trial differ (docs/central-monitoring.md). */
import { indicators } from '#office/insights/trial/indicators'
import {
  flag,
  id,
  instant,
  list,
  number,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const share = () => orNull(number(0, 1))

const SiteIndicator = shape('SiteIndicator', {
  indicator: oneOf(...indicators),
  count: whole(0),
  of: whole(0),
  share: withDescription('`count` among `of`; null if there is nothing to count.', share()),
  low: withDescription('The lower end of its exact 95 % interval.', share()),
  high: share(),
  others: withDescription('The share at all other sites together.', share()),
  p: withDescription(
    'How probable a share so far from the others is by chance; null if there is nothing to compare.',
    share(),
  ),
  adjusted: withDescription('The same after the correction of Holm for the number of comparisons.', share()),
  isUnusual: withDescription('Whether that is below 0.05.', flag()),
})

export const CentralMonitoring = shape('CentralMonitoring', {
  computedAt: withDescription('Null if nothing has been computed yet.', orNull(instant())),
  message: text(1, 500),
  comparisons: withDescription('How many comparisons were made, for which `adjusted` allows.', whole(0)),
  sites: list(
    shape('MonitoredSite', {
      site: id(),
      siteId: oneLine(2, 100),
      name: oneLine(2, 100),
      indicators: list(SiteIndicator, 10),
    }),
    1_000_000,
  ),
})
