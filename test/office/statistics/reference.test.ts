/**
 * Reference values of R 4.2.2: each row has the call that gives them, rounded to 15 digits. The calls use
 *
 * x <- c(2.1, 2.5, 2.2, 9.4, 2.3, 2.6, 2.4); e <- c(5, 5, 5, 5, 8, 5); t <- c(0, 1, 2, 3, 5, 8, 9); z <- c(2, 2, 3, 5, 5, 5, 9)
 * y <- c(5, 10, 3, 20, 2); n <- c(50, 60, 40, 70, 30)
 * dbb <- function(k, n, a, b) exp(lchoose(n, k) + lbeta(k + a, n - k + b) - lbeta(a, b))
 * within <- function(y, n) { if (length(n) < 5) return(0); X2 <- chisq.test(rbind(y, n - y), correct = FALSE)$statistic
 *   min(1, max(0, (X2 - (length(n) - 1)) / sum((n - 1) * (1 - n / sum(n))))) }
 * unusual <- function(k, m, y, n) { r <- within(y, n); p <- (sum(y) + 0.5) / (sum(n) + 1)
 *   w <- 1 / min(1 - 1e-9, r + (1 - r) / (sum(n) + 2)) - 1
 *   min(1, 2 * sum(dbb(0:k, m, p * w, (1 - p) * w)), 2 * sum(dbb(k:m, m, p * w, (1 - p) * w))) }
 */
import { expect, test } from 'bun:test'
import { betaBinomial, correlationWithin, holmCorrection, unusualness } from '#office/statistics/comparison'
import { betaQuantile, betaShare, logBeta, logGamma, studentFactor } from '#office/statistics/distributions'
import { changeFromFirst, meanOf, shareOf, slopeOf } from '#office/statistics/estimates'
import { addMoment, estimateOf, noMoments } from '#office/statistics/running'
import { deviation, modifiedScores, spread, spreadOfCounts } from '#office/statistics/samples'

const x = [2.1, 2.5, 2.2, 9.4, 2.3, 2.6, 2.4]
const e = [5, 5, 5, 5, 8, 5]
const t = [0, 1, 2, 3, 5, 8, 9]
const points = t.map((at, n) => ({ x: at, y: x[n] ?? 0 }))
const shares = [
  { count: 5, of: 50 },
  { count: 10, of: 60 },
  { count: 3, of: 40 },
  { count: 20, of: 70 },
  { count: 2, of: 30 },
]
const allOrNothing = [0, 9, 0, 9, 0, 9].map((count) => ({ count, of: 9 }))

const ends = (estimate: { low: number | null; high: number | null } | null | undefined) => [
  estimate?.low ?? Number.NaN,
  estimate?.high ?? Number.NaN,
]
const quartiles = ({ lowerQuartile, median, upperQuartile }: ReturnType<typeof spread>) =>
  [lowerQuartile, median, upperQuartile].map((each) => each ?? Number.NaN)
const momentsOf = (numbers: readonly number[]) => {
  const moments = noMoments()
  for (const each of numbers) addMoment(moments, each)
  return moments
}

const table: readonly [call: string, ours: number | readonly number[], values: readonly number[]][] = [
  ['lgamma(0.1)', logGamma(0.1), [2.25271265173421]],
  ['lgamma(2.5)', logGamma(2.5), [0.284682870472919]],
  ['lgamma(1234.5)', logGamma(1234.5), [7550.55090107789]],
  ['lbeta(2.5, 7)', logBeta(2.5, 7), [-4.82539933831425]],
  ['lbeta(0.1, 895131)', logBeta(0.1, 895_131), [0.882240166480063]],
  ['lbeta(3e5, 4e5)', logBeta(3e5, 4e5), [-478040.780312413]],
  ['pbeta(0.2, 2, 5)', betaShare(0.2, 2, 5), [0.34464]],
  ['pbeta(0.9, 0.5, 0.5)', betaShare(0.9, 0.5, 0.5), [0.795167235300867]],
  ['pbeta(0.43, 3e5, 4e5)', betaShare(0.43, 3e5, 4e5), [0.99212543833282]],
  ['qbeta(0.025, 3, 8)', betaQuantile(0.025, 3, 8), [0.0667395111777345]],
  ['qbeta(0.975, 0.5, 12.5)', betaQuantile(0.975, 0.5, 12.5), [0.185305938312485]],
  ['qbeta(0.025, 1, 2449104)', betaQuantile(0.025, 1, 2_449_104), [1.03375797244329e-8]],
  ['qt(0.975, 1)', studentFactor(1), [12.7062047361747]],
  ['qt(0.975, 9)', studentFactor(9), [2.2621571627982]],
  ['qt(0.975, 100000)', studentFactor(100_000), [1.95998770753461]],
  ['qt(0.95, 4)', studentFactor(4, 0.9), [2.13184678632665]],
  ['binom.test(3, 17)$conf.int', ends(shareOf(3, 17)), [0.037985068070626, 0.434317872844284]],
  ['binom.test(0, 8)$conf.int', ends(shareOf(0, 8)), [0.0, 0.369416647552819]],
  ['binom.test(250000, 1000000)$conf.int', ends(shareOf(250_000, 1_000_000)), [0.249151535685546, 0.250849912596548]],
  ['sd(x)', deviation(x), [2.67011681570747]],
  ['quantile(x, c(0.25, 0.5, 0.75))', quartiles(spread(x)), [2.25, 2.4, 2.55]],
  [
    'quantile(z, c(0.25, 0.5, 0.75))',
    quartiles(
      spreadOfCounts(
        new Map([
          [2, 2],
          [3, 1],
          [5, 3],
          [9, 1],
        ]),
      ),
    ),
    [2.5, 5.0, 5.0],
  ],
  ['t.test(x)$conf.int', ends(meanOf(x)), [0.887696672623296, 5.826589041662419]],
  ['t.test(x)$conf.int', ends(estimateOf(momentsOf(x))), [0.887696672623296, 5.826589041662419]],
  ['t.test(x[-1] - x[1])$conf.int', ends(changeFromFirst(x)?.toMean), [-1.53601548910076, 4.4693488224341]],
  [
    '(x - median(x)) / mad(x, constant = 1 / qnorm(0.75))',
    modifiedScores(x),
    [
      -1.011734625294123, 0.337244875098042, -0.674489750196082, 23.607141256862889, -0.337244875098042,
      0.674489750196083, 0.0,
    ],
  ],
  [
    '(e - median(e)) / (sqrt(pi / 2) * mean(abs(e - median(e))))',
    modifiedScores(e),
    [0.0, 0.0, 0.0, 0.0, 4.78730736481719, 0.0],
  ],
  ['coef(lm(x ~ t))[2]', slopeOf(points)?.estimate ?? Number.NaN, [-0.0694444444444443]],
  ['confint(lm(x ~ t))[2, ]', ends(slopeOf(points)), [-0.951947654351169, 0.81305876546228]],
  [
    "p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.2), 'holm')",
    holmCorrection([0.01, 0.04, 0.03, 0.005, 0.2]),
    [0.04, 0.09, 0.09, 0.025, 0.2],
  ],
  ['sum(dbb(9:20, 20, 15.5, 85.5))', betaBinomial(9, 20, 20, 15.5, 85.5), [0.00399977803884805]],
  ['sum(dbb(0:1, 2, 1318, 30064))', betaBinomial(0, 1, 2, 1318, 30_064), [0.998234835718675]],
  ['within(y, n)', correlationWithin(shares), [0.0504435498157596]],
  ['unusual(9, 20, 15, 100)', unusualness({ count: 9, of: 20 }, [{ count: 15, of: 100 }]), [0.00799955607769609]],
  ['unusual(12, 40, y, n)', unusualness({ count: 12, of: 40 }, shares), [0.239632163394351]],
  ['unusual(5, 10, c(0, 9, 0, 9, 0, 9), rep(9, 6))', unusualness({ count: 5, of: 10 }, allOrNothing), [1]],
  [
    'unusual(0, 10, c(0, 9, 0, 9, 0, 9), rep(9, 6))',
    unusualness({ count: 0, of: 10 }, allOrNothing),
    [0.999999998585517],
  ],
]

test.each(table)('%s', (_call, ours, values) => {
  const list = typeof ours === 'number' ? [ours] : ours
  expect(list).toHaveLength(values.length)
  const largest = Math.max(...values.map(Math.abs))
  for (const [at, value] of values.entries())
    expect(Math.abs((list[at] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-10 * (Math.abs(value) || largest))
})
