import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { meanOf } from '#office/statistics/estimates'
import { addMoment, addValue, distributionOf, estimateOf, histogram, noMoments } from '#office/statistics/running'
import { outliersIn, spread } from '#office/statistics/samples'

const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 5, maxLength: 60 })

test('the running mean and its interval are those of all numbers together', () => {
  fc.assert(
    fc.property(numbers, (list) => {
      const moments = noMoments()
      for (const each of list) addMoment(moments, each)
      const [running, whole] = [estimateOf(moments)!, meanOf(list)!]
      expect(running.n).toBe(whole.n)
      for (const end of ['estimate', 'low', 'high'] as const) expect(running[end]!).toBeCloseTo(whole[end]!, 6)
    }),
    { numRuns: 100 },
  )
  expect(estimateOf(noMoments())).toBeNull()
})

describe('a histogram', () => {
  const filled = (list: readonly number[], most: number) => {
    const values = histogram(most)
    for (const each of list) addValue(values, each)
    return values
  }

  test('gives the quartiles and the outliers of the numbers', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const { n, median, lowerQuartile, upperQuartile, digits, outliers } = distributionOf(filled(list, 1000))
        expect({ n, median, lowerQuartile, upperQuartile }).toEqual(spread(list))
        expect([digits, outliers]).toEqual([null, outliersIn(list).length])
      }),
      { numRuns: 100 },
    )
  })

  test('rounds if there are too many different values, and says to how many digits', () => {
    const list = Array.from({ length: 5000 }, (_, n) => 100 + n / 7)
    const values = filled(list, 300)
    expect(values.counts.size).toBeLessThanOrEqual(300)
    const { n, digits, median } = distributionOf(values)
    expect([n, digits]).toEqual([5000, 2])
    expect(Math.abs(median! / spread(list).median! - 1)).toBeLessThan(0.05)
  })

  test('says nothing of outliers among fewer than five', () => {
    expect(distributionOf(filled([1, 1, 1, 99], 10))).toMatchObject({ n: 4, usualFrom: null, outliers: 0 })
    expect(distributionOf(filled([], 10))).toMatchObject({ n: 0, median: null })
  })
})
