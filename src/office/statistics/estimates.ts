/** Estimates with their 95 % intervals, and the numbers behind them (pure). */
import { betaQuantile, studentFactor } from './distributions'
import { deviation, mean, sum } from './samples'

/** `low` and `high` are the ends of the 95 % interval; null if there are too few numbers for one. */
export type Estimate = { n: number; estimate: number; low: number | null; high: number | null }

/** A share with the exact interval of Clopper and Pearson; null without any. @param of how many there are */
export function shareOf(count: number, of: number): (Estimate & { count: number }) | null {
  if (of === 0) return null
  const low = count === 0 ? 0 : betaQuantile(0.025, count, of - count + 1)
  const high = count === of ? 1 : betaQuantile(0.975, count + 1, of - count)
  return { n: of, count, estimate: count / of, low, high }
}

/** A mean with the interval of Student's t; null without numbers. */
export function meanOf(numbers: readonly number[]): Estimate | null {
  const n = numbers.length
  if (n === 0) return null
  return n < 2 ? { n, estimate: mean(numbers), low: null, high: null } : meanFrom(n, mean(numbers), deviation(numbers))
}

/** The same from the number of values (at least two), their mean and standard deviation. */
export function meanFrom(n: number, estimate: number, standardDeviation: number): Estimate {
  const half = (studentFactor(n - 1) * standardDeviation) / Math.sqrt(n)
  return { n, estimate, low: estimate - half, high: estimate + half }
}

export type Point = { x: number; y: number }

/**
 * The slope of the least-squares line through the points, with its interval. Null with fewer than three points, or if all have
 * the same x. The interval takes the points for independent of each other.
 */
export function slopeOf(points: readonly Point[]): (Estimate & { low: number; high: number }) | null {
  const n = points.length
  if (n < 3) return null
  const [middleX, middleY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const spreadX = sum(points.map(({ x }) => (x - middleX) ** 2))
  if (spreadX === 0) return null
  const estimate = sum(points.map(({ x, y }) => (x - middleX) * (y - middleY))) / spreadX
  const residual = sum(points.map(({ x, y }) => (y - middleY - estimate * (x - middleX)) ** 2))
  const half = studentFactor(n - 2) * Math.sqrt(residual / (n - 2) / spreadX)
  return { n, estimate, low: estimate - half, high: estimate + half }
}

/**
 * The change from the first number to the mean of the later ones, with the interval of that mean; null with fewer than two numbers.
 * The first number is taken as it is: the interval does not know how exact it was.
 */
export function changeFromFirst(numbers: readonly number[]) {
  const [baseline, ...later] = numbers
  const change = meanOf(later)
  if (baseline === undefined || !change) return null
  const less = (value: number | null) => (value === null ? null : value - baseline)
  return {
    baseline,
    latest: later.at(-1)!,
    toLatest: later.at(-1)! - baseline,
    toMean: { n: change.n, estimate: change.estimate - baseline, low: less(change.low), high: less(change.high) },
  }
}
