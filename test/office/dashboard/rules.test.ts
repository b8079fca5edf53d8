import { describe, expect, test } from 'bun:test'
import { DAY, parseInstant } from '#kernel/time'
import { completionOf, peopleOf, queriesOf, recruitmentOf } from '#office/dashboard/rules'
import { spread, spreadOfCounts } from '#office/statistics/samples'

const now = parseInstant('2026-06-15T12:00:00Z')!
const month = (month: string, enrolled: number) => ({ month, enrolled })

describe('recruitment', () => {
  test.each([
    ['nobody', [], 10, null, null],
    ['only this month', [month('2026-06', 5)], 10, null, null],
    ['one whole month', [month('2026-05', 4), month('2026-06', 1)], 10, 4, '2026-08'],
    [
      'the last three whole months',
      [month('2026-01', 90), month('2026-03', 3), month('2026-04', 6)],
      105,
      3,
      '2026-08',
    ],
    ['without a target', [month('2026-05', 4)], null, 4, null],
    ['a target that is reached', [month('2026-05', 4)], 4, 4, null],
    ['nobody lately', [month('2025-05', 4)], 10, 0, null],
    ['over the end of a year', [month('2026-05', 1)], 8, 1, '2027-01'],
    ['beyond what a date can say', [month('2026-05', 1)], 1_000_000, 1, null],
    ['months of several sites', [month('2026-05', 2), month('2026-05', 2)], 8, 4, '2026-07'],
  ] as const)('%s', (_, months, target, perMonth, expectedMonth) => {
    expect(recruitmentOf(months, target, now)).toMatchObject({ target, perMonth, expectedMonth })
  })
})

test('completion', () => {
  expect(completionOf([])).toEqual({ completed: 0, overdue: 0, share: null })
  expect(
    completionOf([
      { completed: 2, overdue: 1 },
      { completed: 1, overdue: 0 },
    ]),
  ).toEqual({ completed: 3, overdue: 1, share: 0.75 })
})

test('participants by their state: 1 archived, 4 withdrawn, 8 joined, 16 behind', () => {
  const counts = [0, 1, 8, 12, 24, 28, 9].map((facets, n) => ({ facets, count: 10 ** n }))
  expect(peopleOf(counts)).toEqual({ total: 111_101, joined: 111_100, withdrawn: 101_000, behind: 10_000 })
})

test.each([
  [0, 'under7'],
  [6, 'under7'],
  [7, 'from7to13'],
  [13, 'from7to13'],
  [14, 'from14to29'],
  [29, 'from14to29'],
  [30, 'from30to89'],
  [89, 'from30to89'],
  [90, 'from90'],
  [5000, 'from90'],
] as const)('a query of %p days counts as %p', (days, group) => {
  const figure = { site: '', status: 'open' as const, days: Math.floor(now / DAY) - days, queries: 3 }
  expect(queriesOf([figure], now).open).toMatchObject({ total: 3, [group]: 3 })
})

test.each([[[]], [[4]], [[1, 2]], [[3, 3, 3, 9]], [[0, 0, 1, 5, 5, 5, 8, 13, 21]]])(
  'quartiles of numbers that were counted are those of the numbers: %p',
  (numbers: number[]) => {
    const counts = new Map([...Map.groupBy(numbers, (each) => each)].map(([value, some]) => [value, some.length]))
    expect(spreadOfCounts(counts)).toEqual(spread(numbers))
  },
)
