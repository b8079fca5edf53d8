/** The methods make their lists from the seed alone, as the manual says, and keep the balance that they promise. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { documentOf } from '#office/allocationMethods/document'
import { drawArm, drawsOf } from '#office/allocationMethods/generator'
import { intervalsOf, levelOfAnswer, levelsOfAnswer, onlyPlace } from '#office/allocationMethods/levels'
import { type ListParameters, listOf, strataOf, stratumOf } from '#office/allocationMethods/lists'
import { imbalanceWith, minimisationLabel, minimise } from '#office/allocationMethods/minimise'

const SEED = 'a seed of this test, long enough'

/** The generator as the manual describes it, written anew: bytes of SHA-256, four at a time, with rejection. */
function* manualNumbers(seed: string, label: string): Generator<number> {
  for (let block = 0; ; block++) {
    const hash = createHash('sha256').update(`${seed}\n${label}\n${block}`, 'utf8').digest()
    for (let at = 0; at < 32; at += 4) yield hash.readUInt32BE(at)
  }
}

function manualDraw(numbers: Generator<number>, below: number): number {
  for (;;) {
    const number: number = numbers.next().value
    if (number < Math.floor(2 ** 32 / below) * below) return number % below
  }
}

const parameters = (change: Partial<ListParameters> = {}): ListParameters => ({
  method: 'permutedBlocks',
  ratios: [1, 1],
  blockSizes: [4, 6],
  listLength: 1000,
  ...change,
})

/** The range of the counts, each divided by the ratio. */
const rangeOf = (counts: readonly number[], ratios: readonly number[]) => {
  const shares = counts.map((count, arm) => count / ratios[arm]!)
  return Math.max(...shares) - Math.min(...shares)
}

const countsIn = (list: readonly number[], arms: number) =>
  Array.from({ length: arms }, (_, arm) => list.filter((each) => each === arm).length)

describe('the generator', () => {
  test('is that of the manual, in another implementation', () => {
    for (const below of [1, 2, 3, 7, 100, 1000, 2 ** 31 + 1, 2 ** 32]) {
      const draw = drawsOf(SEED, '["é","x"]')
      const numbers = manualNumbers(SEED, '["é","x"]')
      for (let n = 0; n < 50; n++) expect(draw(below)).toBe(manualDraw(numbers, below))
    }
  })

  test('gives these numbers for ever', () => {
    const draw = drawsOf('trialbox', '[]')
    expect(Array.from({ length: 12 }, () => draw(10))).toEqual([8, 3, 8, 5, 4, 0, 0, 4, 1, 1, 2, 8])
  })

  test('does not repeat itself in another stream or with another seed', () => {
    const first = (seed: string, label: string) => Array.from({ length: 20 }, (_, n) => drawsOf(seed, label)(1000 + n))
    expect(first(SEED, 'a')).not.toEqual(first(SEED, 'b'))
    expect(first(SEED, 'a')).not.toEqual(first(`${SEED}.`, 'a'))
  })

  test('draws each number equally often: chi-squared of 60,000 draws', () => {
    const draw = drawsOf(SEED, 'uniform')
    const counts = Array.from({ length: 6 }, () => 0)
    for (let n = 0; n < 60_000; n++) counts[draw(6)]!++
    const chiSquared = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    expect(chiSquared).toBeLessThan(20.5) // the 0.999 quantile with 5 degrees of freedom
  })

  test('draws arms by the ratio, and never one of ratio 0', () => {
    const draw = drawsOf(SEED, 'arms')
    const counts = countsIn(
      Array.from({ length: 30_000 }, () => drawArm([2, 0, 1], draw)),
      3,
    )
    expect(counts[1]).toBe(0)
    expect(Math.abs(counts[0]! - 20_000)).toBeLessThan(330) // four standard deviations
  })
})

describe('lists', () => {
  test('are the same for the same seed and stratum, and only for these', () => {
    const list = listOf(parameters(), SEED, '["Leeds"]')
    expect(listOf(parameters(), SEED, '["Leeds"]')).toEqual(list)
    expect(listOf(parameters(), SEED, '["York"]')).not.toEqual(list)
    expect(listOf(parameters(), `${SEED}.`, '["Leeds"]')).not.toEqual(list)
  })

  test('of permuted blocks are those of the manual, in another implementation', () => {
    const numbers = manualNumbers(SEED, '["Leeds"]')
    const ratios = [2, 1]
    const list: number[] = []
    while (list.length < 200) {
      const size = [3, 6, 9][manualDraw(numbers, 3)]!
      const block = [...Array(size * (2 / 3)).fill(0), ...Array(size / 3).fill(1)]
      for (let last = block.length - 1; last > 0; last--) {
        const place = manualDraw(numbers, last + 1)
        ;[block[last], block[place]] = [block[place], block[last]]
      }
      list.push(...block)
    }
    const made = listOf(parameters({ ratios, blockSizes: [3, 6, 9], listLength: 200 }), SEED, '["Leeds"]')
    expect(made).toEqual(list)
  })

  test('of permuted blocks never exceed the bound, at any moment: 10,000 allocations in 8 strata', () => {
    for (const [ratios, blockSizes] of [
      [
        [1, 1],
        [4, 6, 8],
      ],
      [
        [2, 1],
        [3, 6],
      ],
      [
        [3, 2, 1],
        [6, 12],
      ],
    ] as const) {
      const total = ratios.reduce((sum: number, ratio) => sum + ratio, 0)
      const bound = Math.max(...blockSizes) / total
      for (let stratum = 0; stratum < 8; stratum++) {
        const list = listOf(parameters({ ratios, blockSizes, listLength: 1250 }), SEED, stratumOf([`${stratum}`]))
        expect(list.length).toBeGreaterThanOrEqual(1250)
        const counts = ratios.map(() => 0)
        let worst = 0
        for (const arm of list) {
          counts[arm]!++
          worst = Math.max(worst, rangeOf(counts, ratios))
        }
        expect(worst).toBeLessThanOrEqual(bound)
        expect(worst).toBeGreaterThan(0)
        expect(rangeOf(counts, ratios)).toBe(0) // the last block is whole
      }
    }
  })

  test('draw the size of each block, so that nobody can count to its end', () => {
    const list = listOf(parameters({ blockSizes: [4, 6], listLength: 10_000 }), SEED, '[]')
    const isBalancedAfter = (size: number) => rangeOf(countsIn(list.slice(0, size), 2), [1, 1]) === 0
    const ends = [...Array(200).keys()].filter((n) => isBalancedAfter(4 * (n + 1)))
    expect(ends.length).toBeLessThan(190)
  })

  test('of the simple method follow the ratio as far as chance allows', () => {
    const list = listOf(parameters({ method: 'simple', ratios: [2, 1], listLength: 9_000 }), SEED, '[]')
    expect(list).toHaveLength(9_000)
    expect(Math.abs(countsIn(list, 2)[0]! - 6_000)).toBeLessThan(180) // four standard deviations
  })

  test('property: any blocks hold the ratio exactly at each end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
        fc.string({ minLength: 16 }),
        (ratios, factors, seed) => {
          const total = ratios.reduce((sum, ratio) => sum + ratio, 0)
          const blockSizes = factors.map((factor) => factor * total)
          const list = listOf(parameters({ ratios, blockSizes, listLength: 50 }), seed, '[]')
          const counts = countsIn(list, ratios.length)
          expect(rangeOf(counts, ratios)).toBe(0)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('strata are all combinations of levels, under a name that cannot be mistaken', () => {
    expect(strataOf([])).toEqual([[]])
    expect(
      strataOf([
        ['a', 'b'],
        ['1', '2'],
      ]),
    ).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '2'],
    ])
    expect(stratumOf(['a","b'])).not.toBe(stratumOf(['a', 'b']))
  })
})

describe('minimisation', () => {
  const two = { ratios: [1, 1], weights: [1, 1], preferredPercent: 80 }

  test.each([
    [
      'nobody yet',
      two,
      [
        [0, 0],
        [0, 0],
      ],
      [2, 2],
    ],
    [
      'arm 0 is behind in both factors',
      two,
      [
        [1, 2],
        [3, 4],
      ],
      [0, 4],
    ],
    [
      'factors disagree',
      two,
      [
        [2, 1],
        [1, 2],
      ],
      [2, 2],
    ],
    [
      'the weight decides',
      { ...two, weights: [3, 1] },
      [
        [2, 1],
        [1, 2],
      ],
      [6, 2],
    ],
    ['2 : 1, where 4 to 2 is balanced', { ...two, ratios: [2, 1], weights: [1] }, [[4, 2]], [1, 2]],
    ['three arms', { ...two, ratios: [1, 1, 1], weights: [1] }, [[1, 0, 0]], [2, 1, 1]],
  ])('the imbalance of Pocock and Simon: %s', (_, parameters, counts, expected) => {
    expect(parameters.ratios.map((_, arm) => imbalanceWith(arm, parameters, counts))).toEqual(expected)
  })

  test('takes the better arm as often as the percentage says', () => {
    let preferred = 0
    for (let n = 1; n <= 10_000; n++)
      if (minimise(two, [[5, 9]], drawsOf(SEED, minimisationLabel(n))) === 0) preferred++
    expect(Math.abs(preferred - 8_000)).toBeLessThan(160) // four standard deviations
    for (let n = 1; n <= 200; n++)
      expect(minimise({ ...two, preferredPercent: 100 }, [[5, 9]], drawsOf(SEED, minimisationLabel(n)))).toBe(0)
  })

  /** Allocates 10,000 participants whose levels are drawn; returns the counts by factor, level and arm. */
  function simulate(ratios: readonly number[], preferredPercent: number, levels: readonly number[]) {
    const weights = levels.map(() => 1)
    const counts = levels.map((own) => Array.from({ length: own }, () => ratios.map(() => 0)))
    const people = drawsOf(SEED, 'people')
    let worst = 0
    for (let number = 1; number <= 10_000; number++) {
      const own = levels.map((count) => people(count))
      const held = own.map((level, factor) => counts[factor]![level]!)
      const arm = minimise({ ratios, weights, preferredPercent }, held, drawsOf(SEED, minimisationLabel(number)))
      for (const each of held) each[arm]!++
      worst = Math.max(worst, ...held.map((each) => rangeOf(each, ratios)))
    }
    return { counts, worst }
  }

  test.each([
    [[1, 1], 80, 15],
    [[1, 1, 1], 80, 18],
    [[2, 1], 80, 20],
    [[1, 1], 100, 10],
  ] as const)(
    'keeps each level of each factor in balance over 10,000 allocations: %p at %d %%',
    (ratios, percent, bound) => {
      const { counts, worst } = simulate(ratios, percent, [2, 3, 10])
      expect(worst).toBeLessThanOrEqual(bound)
      const allocated = counts[0]!.flat().reduce((sum, count) => sum + count, 0)
      expect(allocated).toBe(10_000)
      // Without minimisation the imbalance would be many times as large.
      const chance = drawsOf(SEED, 'chance')
      const alone = countsIn(
        Array.from({ length: 10_000 }, () => drawArm(ratios, chance)),
        ratios.length,
      )
      expect(rangeOf(alone, ratios)).toBeGreaterThan(worst)
    },
  )
})

describe('levels', () => {
  const age = { name: 'Age', type: 'answer' as const, cutPoints: [18, 65] }
  test.each([
    [17.9, '< 18'],
    [18, '18 to < 65'],
    [64, '18 to < 65'],
    [65, '>= 65'],
    [null, undefined],
    ['18', undefined],
  ])('%p is in the interval %p', (value, level) => {
    expect(levelOfAnswer(age, {}, value)).toBe(level)
  })

  test('a choice is its option, and nothing if it is blank', () => {
    const sex = { name: 'Sex', type: 'answer' as const }
    const options = [{ label: 'Female' }, { label: 'Male' }, { label: 'Unknown', missing: true }]
    expect(levelOfAnswer(sex, { options }, ['Female'])).toBe('Female')
    expect(levelOfAnswer(sex, { options }, [])).toBeUndefined()
    expect(levelOfAnswer(sex, { options }, ['Unknown'])).toBeUndefined()
    expect(levelsOfAnswer(sex, { format: 'choice', options })).toEqual(['Female', 'Male'])
    expect(levelOfAnswer(sex, { options }, ['A', 'B'])).toBeUndefined()
    expect(levelOfAnswer(sex, { options }, undefined)).toBeUndefined()
    expect(intervalsOf([5])).toEqual(['< 5', '>= 5'])
  })

  test('of several places none counts', () => {
    expect(onlyPlace(['a'])).toBe('a')
    expect(onlyPlace(['a', 'b'])).toBeUndefined()
    expect(onlyPlace(['a', 'b'], ['b', 'c'])).toBe('b')
  })
})

test('the document has one line for each part, and is the same whatever the order of the lists', () => {
  const lists = [
    { stratum: '["b"]', arms: [1, 0] },
    { stratum: '["a"]', arms: [0, 1] },
  ]
  const content = {
    ...parameters({ method: 'stratified', listLength: 2, blockSizes: [2] }),
    arms: [
      { name: 'A “quoted” name', ratio: 1 },
      { name: 'B\nC', ratio: 1 },
    ],
    factors: [{ name: 'Site', type: 'site' as const }],
    preferredPercent: 80,
    nonce: 'n',
    seed: 's',
    lists,
  }
  expect(documentOf(content)).toBe(
    [
      'trialbox randomisation 1',
      'method stratified',
      'arm 1 1 "A “quoted” name"',
      'arm 2 1 "B\\nC"',
      'factor 1 {"name":"Site","type":"site"}',
      'blockSizes 2',
      'listLength 2',
      'nonce n',
      'seed s',
      'list ["a"] 1,2',
      'list ["b"] 2,1',
      '',
    ].join('\n'),
  )
  expect(documentOf({ ...content, lists: lists.toReversed() })).toBe(documentOf(content))
})
