/** Statistics of numbers that come one after the other and are not kept (pure). */
import { type Estimate, meanFrom } from './estimates'
import { spreadOfCounts, sum } from './samples'

/** The number of values, their mean, and the sum of the squares of their distances from it (Welford 1962). */
export type Moments = { n: number; mean: number; squares: number }

export const noMoments = (): Moments => ({ n: 0, mean: 0, squares: 0 })

export function addMoment(moments: Moments, value: number): void {
  moments.n++
  const distance = value - moments.mean
  moments.mean += distance / moments.n
  moments.squares += distance * (value - moments.mean)
}

/** The mean with its 95 % interval; null without values. */
export function estimateOf({ n, mean, squares }: Moments): Estimate | null {
  if (n === 0) return null
  return n < 2 ? { n, estimate: mean, low: null, high: null } : meanFrom(n, mean, Math.sqrt(squares / (n - 1)))
}

/** How often each value occurs. With too many different values, they are rounded: `digits` is to how many significant digits. */
export type Histogram = { counts: Map<number, number>; most: number; digits: number | null }

export const histogram = (most: number): Histogram => ({ counts: new Map(), most, digits: null })

const rounded = (value: number, digits: number): number => Number(value.toPrecision(digits))
const count = (counts: Map<number, number>, value: number, by = 1) => counts.set(value, (counts.get(value) ?? 0) + by)

export function addValue(to: Histogram, value: number): void {
  count(to.counts, to.digits === null ? value : rounded(value, to.digits))
  if (to.counts.size <= to.most || to.digits === 1) return
  to.digits = to.digits === null ? 3 : to.digits - 1
  const counts = new Map<number, number>()
  for (const [each, times] of to.counts) count(counts, rounded(each, to.digits), times)
  to.counts = counts
}

/** A value beyond so many robust standard deviations from the median is an outlier; see `modifiedScores`. */
const OUTLIER_LIMIT = 3.5
/** The fewest values among which outliers are looked for. */
const MIN_VALUES = 5

/** Median and quartiles, the range of usual values, and how many are outside of it. */
export function distributionOf({ counts, digits }: Histogram) {
  const { n, median, lowerQuartile, upperQuartile } = spreadOfCounts(counts)
  const about = { n, median, lowerQuartile, upperQuartile, digits }
  if (median === null || n < MIN_VALUES) return { ...about, usualFrom: null, usualTo: null, outliers: 0 }
  const distances = new Map<number, number>()
  for (const [value, times] of counts) count(distances, Math.abs(value - median), times)
  const meanDistance = sum([...distances].map(([distance, times]) => distance * times)) / n
  const scale = 1.482602218505602 * spreadOfCounts(distances).median! || 1.2533141373155001 * meanDistance
  const [usualFrom, usualTo] = [median - OUTLIER_LIMIT * scale, median + OUTLIER_LIMIT * scale]
  const outliers = sum([...counts].map(([value, times]) => (value < usualFrom || value > usualTo ? times : 0)))
  return { ...about, usualFrom, usualTo, outliers }
}
