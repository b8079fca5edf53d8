/** What is counted of each site for central monitoring (pure); docs/central-monitoring.md, "What is compared". */
import type { Id } from '#kernel/id'
import type { Share } from '#office/statistics/comparison'
import type { Facts } from './facts'

export const indicators = ['missing', 'late', 'queries', 'digits', 'repeats'] as const
export type Indicator = (typeof indicators)[number]

export type Indicators = Record<Indicator, Share>

export const noIndicators = (): Indicators => ({
  missing: { count: 0, of: 0 },
  late: { count: 0, of: 0 },
  queries: { count: 0, of: 0 },
  digits: { count: 0, of: 0 },
  repeats: { count: 0, of: 0 },
})

/** The last written digit of a number. */
export const lastDigit = (value: number): string => /(\d)(?:e.*)?$/.exec(`${value}`)?.[1] ?? ''

/**
 * Adds a participant. Queries are counted where they are raised.
 * @param isCompared whether the values of a data type are looked at
 */
export function addIndicators(
  to: Indicators,
  facts: Pick<Facts, 'fields' | 'forms' | 'series'>,
  isCompared: (dataType: Id) => boolean,
): void {
  to.missing.of += facts.fields.length
  to.missing.count += facts.fields.filter(({ isAnswered }) => !isAnswered).length
  for (const { state } of facts.forms) {
    if (state === null || state === 'open') continue
    to.late.of++
    if (state !== 'onTime') to.late.count++
  }
  for (const [dataType, points] of facts.series) {
    if (!isCompared(dataType)) continue
    for (const [at, { y }] of points.entries()) {
      to.digits.of++
      if ('05'.includes(lastDigit(y))) to.digits.count++
      if (at === 0) continue
      to.repeats.of++
      if (y === points[at - 1]!.y) to.repeats.count++
    }
  }
}
