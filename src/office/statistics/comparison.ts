/** Compares the share of one site with that of the others (pure). */
import { logBeta } from './distributions'
import { sum } from './samples'

/** How many of how many. */
export type Share = { count: number; of: number }

/** All of them together. */
export const poolShares = (shares: readonly Share[]): Share => ({
  count: sum(shares.map(({ count }) => count)),
  of: sum(shares.map(({ of }) => of)),
})

/** With fewer sites, how much sites differ by themselves is not estimated. */
const FEWEST_SITES = 5

/**
 * How much sites differ beyond chance: the correlation within a site, estimated from Pearson's statistic, from 0 to 1. 0 with fewer
 * than five sites.
 */
export function correlationWithin(shares: readonly Share[]): number {
  const some = shares.filter(({ of }) => of > 0)
  const { count, of: all } = poolShares(some)
  if (some.length < FEWEST_SITES || count === 0 || count === all) return 0
  const p = count / all
  const statistic = sum(some.map(({ count, of }) => (count - of * p) ** 2 / (of * p * (1 - p))))
  const weight = sum(some.map(({ of }) => (of - 1) * (1 - of / all)))
  return weight > 0 ? Math.min(1, Math.max(0, (statistic - (some.length - 1)) / weight)) : 0
}

/** The probability of exactly `count` under a beta-binomial distribution, as a logarithm. */
const logProbability = ({ count, of }: Share, a: number, b: number): number =>
  logBeta(count + a, of - count + b) - logBeta(a, b) - logBeta(count + 1, of - count + 1) - Math.log(of + 1)

/** The probability of `from` to `to` under a beta-binomial distribution. Each term follows from the one before it. */
export function betaBinomial(from: number, to: number, of: number, a: number, b: number): number {
  if (from > to) return 0
  let term = logProbability({ count: from, of }, a, b)
  let total = 0
  for (let k = from; k <= to; k++) {
    total += Math.exp(term)
    term += Math.log((of - k) / (k + 1)) + Math.log((k + a) / (of - k - 1 + b))
  }
  return Math.min(1, total)
}

/** Beyond so many, both numbers are scaled down: the share is known well enough, and the sum stays short. */
const MAX_COUNT = 20_000

function scaled({ count, of }: Share): Share {
  return of <= MAX_COUNT ? { count, of } : { count: Math.round((count / of) * MAX_COUNT), of: MAX_COUNT }
}

/** If the others have all or nothing, the correlation within a site is 1, for which the distribution has no parameters. */
const MOST_ALIKE = 1 - 1e-9

/**
 * The probability (two-sided) that a site whose share is that of the others would be as far from it as this one, by the exact
 * distribution. It allows for how few the others may be, and for how much they differ among each other. 1 if there is nothing to
 * compare.
 */
export function unusualness(site: Share, others: readonly Share[]): number {
  const all = poolShares(others)
  if (site.of === 0 || all.of === 0) return 1
  const { count, of } = scaled(site)
  const p = (all.count + 0.5) / (all.of + 1)
  const among = correlationWithin(others)
  const within = Math.min(MOST_ALIKE, among + (1 - among) / (all.of + 2))
  const weight = 1 / within - 1
  const [a, b] = [p * weight, (1 - p) * weight]
  const [low, high] = [betaBinomial(0, count, of, a, b), betaBinomial(count, of, of, a, b)]
  return Math.min(1, 2 * Math.min(low, high))
}

/** The probabilities after the correction of Holm for their number, in the same order. */
export function holmCorrection(probabilities: readonly number[]): number[] {
  const order = [...probabilities.keys()].sort((a, b) => probabilities[a]! - probabilities[b]!)
  const result: number[] = []
  let largest = 0
  for (const [rank, at] of order.entries()) {
    largest = Math.max(largest, Math.min(1, probabilities[at]! * (probabilities.length - rank)))
    result[at] = largest
  }
  return result
}
