import { expect, test } from 'bun:test'
import {
  countsOf,
  doseLevelsOf,
  linesAt,
  maximumNeeds,
  type PlannedArm,
  planProblems,
  typesOf,
} from '#office/randomisation/plan'

type Line = [packType: string, quantity?: number, doseLevel?: string]
const arm = (packType: string | null, ...lines: Line[]): PlannedArm & { name: string } => ({
  ...{ name: 'A', packType },
  dispensing: lines.map(([packType, quantity = 1, level]) => ({ doseLevel: level ?? null, packType, quantity })),
})

const SAME = /same dose levels in the same order, and the same number of packs/
/** With what is wrong in a blinded randomisation, and in an open one. */
const cases: [string, ReturnType<typeof arm>[], RegExp | null, RegExp | null][] = [
  ['no packs', [arm(null), arm(null)], null, null],
  ['a pack each', [arm('a'), arm('b')], null, null],
  ['a pack for one arm', [arm('a'), arm(null)], /or none/, null],
  ['as many packs at a time', [arm('a', ['a', 2]), arm('b', ['b', 2])], null, null],
  ['more packs in one arm', [arm('a', ['a', 2]), arm('b')], SAME, null],
  ['two types each, and as many', [arm(null, ['a'], ['y']), arm(null, ['x'], ['b'])], null, null],
  ['two types each, and not as many', [arm(null, ['a'], ['y']), arm(null, ['x'], ['b', 2])], SAME, null],
  ['one of two that is as many', [arm(null, ['a', 2]), arm(null, ['x'], ['b'])], null, null],
  ['dispensing in one arm only', [arm(null, ['a']), arm(null)], SAME, null],
  ['dose levels', [arm('a', ['a', 1, '1'], ['c', 1, '2']), arm('b', ['b', 1, '1'], ['b', 1, '2'])], null, null],
  [
    'dose levels in another order',
    [arm('a', ['a', 1, '1'], ['c', 1, '2']), arm('b', ['b', 1, '2'], ['b', 1, '1'])],
    SAME,
    null,
  ],
  ['dose levels of one arm only', [arm('a', ['a', 1, '1']), arm('b', ['b'])], SAME, null],
  ['another number at a dose level', [arm('a', ['a', 2, '1']), arm('b', ['b', 1, '1'])], SAME, null],
  ['a type twice', [arm(null, ['a'], ['a']), arm(null, ['b'], ['b'])], /twice/, /twice/],
  ['lines with and without a dose level', [arm(null, ['a'], ['b', 1, '1'])], /Some lines/, /Some lines/],
]
test.each(cases)('arms with %s', (_, arms, blinded, open) => {
  const found = (isBlinded: boolean) =>
    planProblems(arms, isBlinded)
      .map(({ text }) => text)
      .join(' ')
  if (blinded) expect(found(true)).toMatch(blinded)
  else expect(found(true)).toBe('')
  if (open) expect(found(false)).toMatch(open)
  else expect(found(false)).toBe('')
})

test('what arms dispense', () => {
  const levels = arm('z', ['a', 2, '1'], ['b', 1, '1'], ['c', 1, '2'])
  expect(doseLevelsOf([levels, arm('a'), arm(null, ['a', 1, '3'])])).toEqual(['1', '2', '3'])
  expect(typesOf(levels)).toEqual(['z', 'a', 'b', 'c'])
  expect([...countsOf(linesAt(levels, '1'), 3)]).toEqual([
    ['a', 6],
    ['b', 3],
  ])
  expect(linesAt(levels, null)).toEqual([])
  expect(linesAt(arm('z'), null)).toEqual([{ doseLevel: null, packType: 'z', quantity: 1 }])
  expect(linesAt(arm(null), null)).toEqual([])
  const most = maximumNeeds([
    new Map([
      ['a', 2],
      ['d', 1],
    ]),
    new Map([
      ['b', 2],
      ['d', 3],
    ]),
  ])
  expect([...most]).toEqual([
    ['a', 2],
    ['d', 3],
    ['b', 2],
  ])
})
