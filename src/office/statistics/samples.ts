/** What a list of numbers says about itself (pure). */

export const sum = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

/** @param numbers at least one */
export const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length

/** The standard deviation of a sample. @param numbers at least two */
export function deviation(numbers: readonly number[]): number {
  const middle = mean(numbers)
  return Math.sqrt(sum(numbers.map((each) => (each - middle) ** 2)) / (numbers.length - 1))
}

/** The quantile of a sorted list of at least one number, interpolated as R does by default (type 7). @param share from 0 to 1 */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - below)
}

const sortAscending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)

/** @param numbers at least one */
export const median = (numbers: readonly number[]): number => quantile(sortAscending(numbers), 0.5)

/** The number of values, their median and quartiles; null for the three if there are none. */
export function spread(numbers: readonly number[]) {
  const sorted = sortAscending(numbers)
  const at = (share: number) => (sorted.length ? quantile(sorted, share) : null)
  return { n: sorted.length, median: at(0.5), lowerQuartile: at(0.25), upperQuartile: at(0.75) }
}

/** The fewest numbers among which one can be an outlier. */
const FEWEST_FOR_OUTLIERS = 5
/** A modified z-score beyond this is an outlier (Iglewicz and Hoaglin 1993). */
const OUTLIER_LIMIT = 3.5

/**
 * The modified z-score of each number: its distance from the median in robust standard deviations. These are 1.4826 times the median
 * absolute deviation, or 1.2533 times the mean absolute deviation if more than half of the numbers are alike; 0 if all are.
 */
export function modifiedScores(numbers: readonly number[]): number[] {
  const middle = median(numbers)
  const distances = numbers.map((each) => Math.abs(each - middle))
  const scale = 1.482602218505602 * median(distances) || 1.2533141373155001 * mean(distances)
  return numbers.map((each) => (scale ? (each - middle) / scale : 0))
}

/** The indexes of outliers by the modified z-score, each with its score. */
export function outliersIn(numbers: readonly number[]): { at: number; score: number }[] {
  if (numbers.length < FEWEST_FOR_OUTLIERS) return []
  return modifiedScores(numbers).flatMap((score, at) => (Math.abs(score) > OUTLIER_LIMIT ? [{ at, score }] : []))
}

/** The same as `spread` of numbers that were counted. @param counts a number, and how often it occurs */
export function spreadOfCounts(counts: ReadonlyMap<number, number>) {
  const sorted = [...counts].sort(([a], [b]) => a - b)
  const n = sum(sorted.map(([, count]) => count))
  const valueAt = (place: number): number => {
    let before = 0
    return sorted.find(([, count]) => (before += count) > place)![0]
  }
  const at = (share: number): number | null => {
    if (n === 0) return null
    const place = (n - 1) * share
    const [low, high] = [valueAt(Math.floor(place)), valueAt(Math.min(Math.floor(place) + 1, n - 1))]
    return low + (high - low) * (place - Math.floor(place))
  }
  return { n, median: at(0.5), lowerQuartile: at(0.25), upperQuartile: at(0.75) }
}
