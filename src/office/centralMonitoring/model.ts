/** How the sites of a trial differ (docs/central-monitoring.md). */
import { indicators } from '#office/insights/trial/indicators'
import * as t from '#wire/schema'

const share = () => t.orNull(t.number(0, 1))

const SiteIndicator = t.shape('SiteIndicator', {
  indicator: t.oneOf(...indicators),
  count: t.whole(0),
  of: t.whole(0),
  share: t.withDescription('`count` among `of`; null if there is nothing to count.', share()),
  low: t.withDescription('The lower end of its exact 95 % interval.', share()),
  high: share(),
  others: t.withDescription('The share at all other sites together.', share()),
  p: t.withDescription(
    'How probable a share so far from the others is by chance; null if there is nothing to compare.',
    share(),
  ),
  adjusted: t.withDescription('The same after the correction of Holm for the number of comparisons.', share()),
  isUnusual: t.withDescription('Whether that is below 0.05.', t.flag()),
})

export const CentralMonitoring = t.shape('CentralMonitoring', {
  computedAt: t.withDescription('Null if nothing has been computed yet.', t.orNull(t.instant())),
  message: t.text(1, 500),
  comparisons: t.withDescription('How many comparisons were made, for which `adjusted` allows.', t.whole(0)),
  sites: t.list(
    t.shape('MonitoredSite', {
      site: t.id(),
      siteId: t.oneLine(2, 100),
      name: t.oneLine(2, 100),
      indicators: t.list(SiteIndicator, 10),
    }),
    1_000_000,
  ),
})
