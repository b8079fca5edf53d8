/** Compares the sites of a trial with each other (pure); docs/central-monitoring.md. */
import type { Id } from '#kernel/id'
import { holmCorrection, poolShares, type Share, unusualness } from '#office/statistics/comparison'
import { shareOf } from '#office/statistics/estimates'
import { type Indicator, type Indicators, indicators } from './indicators'

/** A share of a site beside that of all others. `p` and `adjusted` are probabilities; null if there is nothing to compare. */
export type Comparison = {
  site: Id
  indicator: Indicator
  count: number
  of: number
  low: number | null
  high: number | null
  others: number | null
  p: number | null
  adjusted: number | null
  isUnusual: boolean
}

/** Below this probability, after the correction for all comparisons, a share stands out. */
const LEVEL = 0.05

const ratio = ({ count, of }: Share) => (of ? count / of : null)

/** Every indicator of every site, in the order of the sites. */
export function compareSites(sites: readonly { site: Id; indicators: Indicators }[]): Comparison[] {
  const found = sites.flatMap(({ site, indicators: own }) =>
    indicators.map((indicator) => {
      const others = sites.filter((each) => each.site !== site).map((each) => each.indicators[indicator])
      const { count, of } = own[indicator]
      const isCompared = of > 0 && poolShares(others).of > 0
      const { low = null, high = null } = shareOf(count, of) ?? {}
      const p = isCompared ? unusualness({ count, of }, others) : null
      return { site, indicator, count, of, low, high, others: ratio(poolShares(others)), p }
    }),
  )
  const corrected = holmCorrection(found.flatMap(({ p }) => p ?? []))
  let next = 0
  return found.map((each) => {
    const value = each.p === null ? null : corrected[next++]!
    return { ...each, adjusted: value, isUnusual: value !== null && value < LEVEL }
  })
}
