/** The statistics against values of SciPy 1.17, of mpmath with 30 digits, and of published examples. */
import { describe, expect, test } from 'bun:test'
import { betaBinomial, correlationWithin, holmCorrection, unusualness } from '#office/statistics/comparison'
import { betaQuantile, betaShare, logBeta, logGamma, studentFactor } from '#office/statistics/distributions'
import { changeFromFirst, meanFrom, meanOf, shareOf, slopeOf } from '#office/statistics/estimates'
import { deviation, mean, median, modifiedScores, outliersIn, quantile, spread } from '#office/statistics/samples'

const near = (actual: number | null | undefined, expected: number, digits = 10) =>
  expect(Math.abs((actual ?? Number.NaN) / expected - 1)).toBeLessThan(10 ** -digits)

describe('distributions', () => {
  test.each([
    [0.1, 2.252712651734206],
    [5.5, 3.9578139676187165],
    [171, 706.5730622457874],
  ])('logGamma(%p)', (x, expected) => near(logGamma(x), expected))

  test('logBeta', () => near(logBeta(2.5, 7), -4.825399338314249))

  test.each([
    [0.2, 2, 5, 0.34464],
    [0.9, 0.5, 0.5, 0.7951672353008665],
    [0.01, 300, 20_000, 9.500994233091899e-11],
  ])('betaShare(%p, %p, %p)', (x, a, b, expected) => near(betaShare(x, a, b), expected, 8))

  test.each([
    [0.025, 3, 8, 0.066739511177734],
    [0.975, 0.5, 12.5, 0.185305938312485],
  ])('betaQuantile(%p, %p, %p)', (probability, a, b, expected) => near(betaQuantile(probability, a, b), expected))

  test.each([
    [1, 12.706204736174694],
    [2, 4.302652729749462],
    [9, 2.262157162798205],
    [1000, 1.9623390808264083],
  ])('studentFactor(%p)', (freedom, expected) => near(studentFactor(freedom), expected))

  test('studentFactor of a 90 % interval', () => near(studentFactor(4, 0.9), 2.1318467863266495))
})

describe('samples', () => {
  const numbers = [2.1, 2.5, 2.2, 9.4, 2.3, 2.6, 2.4]

  test('mean, standard deviation, median and quartiles', () => {
    near(mean(numbers), 23.5 / 7)
    near(deviation([2, 4, 4, 4, 5, 5, 7, 9]), 2.138089935299395)
    expect(median(numbers)).toBe(2.4)
    const sorted = numbers.toSorted()
    for (const [share, expected] of [
      [0.25, 2.25],
      [0.5, 2.4],
      [0.75, 2.55],
    ] as const)
      near(quantile(sorted, share), expected)
    expect(spread([])).toEqual({ n: 0, median: null, lowerQuartile: null, upperQuartile: null })
    expect(spread([3])).toEqual({ n: 1, median: 3, lowerQuartile: 3, upperQuartile: 3 })
  })

  test('modified z-scores, by the median absolute deviation', () => {
    const expected = [
      -1.0117346252941, 0.337244875098, -0.6744897501961, 23.607141256863, -0.337244875098, 0.674489750196, 0,
    ]
    for (const [at, score] of modifiedScores(numbers).entries()) expect(score).toBeCloseTo(expected[at]!, 10)
    expect(outliersIn(numbers).map(({ at }) => at)).toEqual([3])
  })

  test('where most numbers are alike, the mean absolute deviation takes its place', () => {
    expect(modifiedScores([5, 5, 5, 5, 8, 5])[4]).toBeCloseTo(4.787307364817193, 10)
    expect(outliersIn([5, 5, 5, 5, 5, 5])).toEqual([])
    expect(outliersIn([5, 5, 5, 500])).toEqual([]) // too few to say
  })
})

describe('estimates', () => {
  test.each([
    [3, 17, 0.03798506807045371, 0.4343178728442839],
    [0, 8, 0, 0.3694166475528192],
    [8, 8, 0.6305833524471808, 1],
  ])('%p of %p with the exact interval', (count, of, low, high) => {
    const share = shareOf(count, of)!
    expect(share).toMatchObject({ n: of, count, estimate: count / of })
    expect(share.low).toBeCloseTo(low, 10)
    expect(share.high).toBeCloseTo(high, 10)
  })

  test('a share of nothing is none', () => expect(shareOf(0, 0)).toBeNull())

  test('a mean with its interval', () => {
    const { n, estimate, low, high } = meanOf([4.1, 5.2, 6.3, 4.8, 5.9])!
    expect(n).toBe(5)
    near(estimate, 5.26)
    near(low, 4.17540809673676)
    near(high, 6.344591903263241)
    expect(meanOf([3])).toEqual({ n: 1, estimate: 3, low: null, high: null })
    expect(meanOf([])).toBeNull()
    near(meanFrom(5, 5.26, deviation([4.1, 5.2, 6.3, 4.8, 5.9])).low, 4.17540809673676)
  })

  test('a slope with its interval', () => {
    const points = [0, 1, 2, 3, 5, 8].map((x, at) => ({ x, y: [10, 9.5, 9.7, 8.1, 7.9, 6.2][at]! }))
    const { n, estimate, low, high } = slopeOf(points)!
    expect(n).toBe(6)
    near(estimate, -0.47782101167315166)
    near(low, -0.6545167107501744)
    near(high, -0.30112531259612896)
  })

  test('the slope of fuel on weight in the data of Motor Trend 1974, as R’s documentation has it', () => {
    const weights = [2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78, 5.25, 5.424]
    weights.push(5.345, 2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14, 1.513, 3.17, 2.77, 3.57, 2.78)
    const fuel = [21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4]
    fuel.push(14.7, 32.4, 30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4)
    const { estimate, low, high } = slopeOf(weights.map((x, at) => ({ x, y: fuel[at]! })))!
    expect(estimate).toBeCloseTo(-5.3445, 4)
    expect(low).toBeCloseTo(-6.486308, 5)
    expect(high).toBeCloseTo(-4.202635, 5)
  })

  test('no slope of two points, or of points at one moment', () => {
    expect(slopeOf([0, 1].map((x) => ({ x, y: x })))).toBeNull()
    expect(slopeOf([1, 2, 3].map((y) => ({ x: 4, y })))).toBeNull()
  })

  test('the change from the first number', () => {
    const { baseline, latest, toLatest, toMean } = changeFromFirst([72, 70, 71, 68, 66])!
    expect([baseline, latest, toLatest, toMean.n]).toEqual([72, 66, -6, 4])
    near(toMean.estimate, -3.25)
    near(toMean.low, -6.778307858930696)
    near(toMean.high, 0.2783078589306962)
    expect(changeFromFirst([72])).toBeNull()
    expect(changeFromFirst([72, 70])!.toMean).toEqual({ n: 1, estimate: -2, low: null, high: null })
  })
})

describe('comparisons of sites', () => {
  test.each([
    [9, 20, 20, 15.5, 85.5, 0.003999778038848035],
    [0, 1, 40, 30.5, 70.5, 8.908717339681458e-5],
    [50, 1000, 1000, 20.5, 980.5, 0.00012942901274957825],
  ])('the beta-binomial probability of %p to %p of %p', (from, to, of, a, b, expected) =>
    near(betaBinomial(from, to, of, a, b), expected, 7),
  )

  test('how much sites differ beyond chance', () => {
    const [counts, sizes] = [
      [5, 10, 3, 20, 2],
      [50, 60, 40, 70, 30],
    ]
    near(correlationWithin(counts!.map((count, at) => ({ count, of: sizes![at]! }))), 0.050443549815759624)
    expect(correlationWithin(Array(6).fill({ count: 10, of: 100 }))).toBe(0)
    expect(correlationWithin([{ count: 5, of: 50 }])).toBe(0)
  })

  test('a site against one other: the probability of the predictive distribution', () => {
    near(unusualness({ count: 9, of: 20 }, [{ count: 15, of: 100 }]), 2 * 0.003999778038848035, 6)
    expect(unusualness({ count: 0, of: 0 }, [{ count: 15, of: 100 }])).toBe(1)
    expect(unusualness({ count: 3, of: 5 }, [])).toBe(1)
  })

  test('the same numbers say less if the others differ much among each other, or are few', () => {
    const site = { count: 12, of: 40 }
    const steady = Array.from({ length: 8 }, () => ({ count: 10, of: 100 }))
    const varied = [1, 24, 3, 18, 2, 20, 5, 7].map((count) => ({ count, of: 100 }))
    const few = [{ count: 1, of: 10 }]
    expect(unusualness(site, steady)).toBeLessThan(0.002)
    expect(unusualness(site, varied)).toBeGreaterThan(0.05)
    expect(unusualness(site, few)).toBeGreaterThan(0.1)
  })

  test('a small site stands out only if it is far off', () => {
    const others = [{ count: 50, of: 1000 }]
    expect(unusualness({ count: 1, of: 2 }, others)).toBeGreaterThan(0.05)
    expect(unusualness({ count: 6, of: 8 }, others)).toBeLessThan(0.001)
  })

  test('very large sites are compared all the same', () => {
    const p = unusualness({ count: 120_000, of: 1_000_000 }, [{ count: 1_000_000, of: 9_000_000 }])
    expect(p).toBeLessThan(1e-3)
    expect(p).toBeGreaterThanOrEqual(0)
  })

  test('the correction of Holm, as R’s p.adjust has it', () => {
    const expected = [0.04, 0.09, 0.09, 0.025, 0.2]
    for (const [at, p] of holmCorrection([0.01, 0.04, 0.03, 0.005, 0.2]).entries())
      expect(p).toBeCloseTo(expected[at]!, 12)
    expect(holmCorrection([])).toEqual([])
  })
})
