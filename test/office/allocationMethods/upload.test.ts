/** Uploaded lists: every fault is told with the number of its line. */
import { describe, expect, test } from 'bun:test'
import { linesOf, readList } from '#office/allocationMethods/upload'

const arms = [{ name: 'Active' }, { name: 'Placebo' }]
const site = { name: 'Site' }
const sex = { name: 'Sex' }
const levels = [
  [
    { level: 's1', names: ['Leeds', 'L1', 's1'] },
    { level: 's2', names: ['York', 'Y1', 's2'] },
  ],
  [
    { level: 'Female', names: ['Female'] },
    { level: 'Male', names: ['Male'] },
  ],
]

test('without factors, each line is the next allocation', () => {
  expect(readList('arm\nActive\nPlacebo\nplacebo\n', arms, [], [])).toEqual({
    lists: [{ stratum: '[]', arms: [0, 1, 1] }],
  })
})

test('with factors, the lines of a stratum keep their order; columns may be in any order, and sites have three names', () => {
  const csv =
    '\uFEFFSite;Arm;Sex\r\nLeeds;Active;Female\r\nL1;Placebo;Female\r\ns2;"Active";Male\r\n\r\nYork;Placebo;Male'
  expect(readList(csv, arms, [site, sex], levels)).toEqual({
    lists: [
      { stratum: '["s1","Female"]', arms: [0, 1] },
      { stratum: '["s2","Male"]', arms: [0, 1] },
    ],
  })
})

const problemsOf = (...given: Parameters<typeof readList>) => readList(...given).problems?.map(({ text }) => text)

describe('refusals', () => {
  test.each([
    ['', ['The list is empty.']],
    ['\n\n', ['The list is empty.']],
    ['arm\n', ['The list has no allocation.']],
    [
      'treatment\nActive',
      ['Line 1: the column “arm” is missing.', 'Line 1: no column is called “treatment”. Use: arm.'],
    ],
    ['arm,arm\nActive,Active', ['Line 1: the column “arm” is there twice.']],
    ['arm\nActive\nOther\n\nActve', ['Line 3: no arm is called “Other”.', 'Line 5: no arm is called “Actve”.']],
    ['arm\nActive,x', ['Line 2: it has 2 cells, and the first line has 1.']],
    ['arm\n"Act\nive"\nOther', ['Line 2: no arm is called “Act\nive”.', 'Line 4: no arm is called “Other”.']],
  ])('%j', (csv, problems) => {
    expect(problemsOf(csv, arms, [], [])).toEqual(problems)
  })

  test('an unknown level, and never more than twenty at once', () => {
    const rows = Array.from({ length: 50 }, () => 'Active,Hull').join('\n')
    const problems = problemsOf(`arm,Site\n${rows}`, arms, [site], [levels[0]!])
    expect(problems).toHaveLength(20)
    expect(problems?.[0]).toBe('Line 2: “Hull” is not a level of “Site”.')
  })
})

test('what two sites are called is refused, and never means one of them in silence; an `_id` always means its own', () => {
  const same = [
    { level: 's1', names: ['Leeds', 'L1', 's1'] },
    { level: 's2', names: ['Leeds', 'L2', 's2'] },
    { level: 's3', names: ['L2', 'L2', 's3'] },
    { level: 's4', names: ['s1', 'L4', 's4'] },
  ]
  expect(problemsOf('arm,Site\nActive,Leeds\nActive,L2\nActive,L4\n', arms, [site], [same])).toEqual([
    'Line 2: “Leeds” names 2 levels of “Site”: write the _id of the one that is meant.',
    'Line 3: “L2” names 2 levels of “Site”: write the _id of the one that is meant.',
  ])
  expect(readList('arm,Site\nActive,L1\nPlacebo,s1\nActive,s4\n', arms, [site], [same])).toEqual({
    lists: [
      { stratum: '["s1"]', arms: [0, 1] },
      { stratum: '["s4"]', arms: [0] },
    ],
  })
})

test('cells in quotes may hold separators, quotes and line breaks', () => {
  expect(linesOf('a,b\n"x,""y""",\r\n"1\n2",3').map(({ number, cells }) => [number, cells])).toEqual([
    [1, ['a', 'b']],
    [2, ['x,"y"', '']],
    [3, ['1\n2', '3']],
  ])
})

test('100,000 lines are read at once', () => {
  const csv = `arm\n${'Active\nPlacebo\n'.repeat(50_000)}`
  const { lists } = readList(csv, arms, [], []) as { lists: { arms: number[] }[] }
  expect(lists[0]!.arms).toHaveLength(100_000)
})
