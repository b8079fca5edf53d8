/** Values besides the check of their format: blank values, what is stored, uploaded files, rounding. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { fileProblem } from '#design/dataTypes/files'
import type { FieldSettings } from '#design/dataTypes/model'
import { isBlank, normalise } from '#design/dataTypes/rules'
import { roundTo } from '#kernel/decimal'
import { bmi, judge } from './dataTypes.rules.shared'

test.each([[undefined], [null], [''], [' \t\n'], [[]], [{}]])('%p is blank', (value) =>
  expect(isBlank(value)).toBe(true),
)

test.each([[0], [false], ['a'], [[null]], [{ q1: null }]])('%p is not blank', (value) =>
  expect(isBlank(value)).toBe(false),
)

describe('an answer as it is stored', () => {
  test('has a computed BMI if it was left out', () => {
    expect(normalise(bmi, { height: 175, weight: 70 })).toEqual({ height: 175, weight: 70, bmi: 22.9 })
    expect(normalise(bmi, { height: 175, weight: 70, bmi: 22.86 })).toEqual({ height: 175, weight: 70, bmi: 22.86 })
    expect(normalise(bmi, { height: null, weight: null, bmi: null })).toBeUndefined()
  })
  test('has a computed BMI in a table too', () => {
    const asked: FieldSettings = { format: 'table', columns: [{ id: 'b', label: 'B', format: 'bmi' }] }
    expect(normalise(asked, [{ b: { height: 200, weight: 80 } }, {}])).toEqual([
      { b: { height: 200, weight: 80, bmi: 20 } },
      {},
    ])
  })
  test('always has an acceptable BMI', () => {
    const size = fc.double({ min: 100, max: 220, noNaN: true })
    fc.assert(
      fc.property(size, size, (height, weight) => {
        expect(judge(bmi, normalise(bmi, { height, weight }))).toBeUndefined()
      }),
    )
  })
})

test.each([
  [{ format: 'file' }, { type: 'anything/else', size: 1 }, undefined],
  [{ format: 'image' }, { type: 'image/png', size: 1 }, undefined],
  [{ format: 'image' }, { type: 'text/html', size: 1 }, 'must be a file of type image/*'],
  [{ format: 'file', mimeTypes: ['application/pdf'] }, { type: 'Application/PDF; x=1', size: 1 }, undefined],
  [{ format: 'file', maxSize: 10 }, { type: 'a/b', size: 10 }, undefined],
  [{ format: 'file', maxSize: 10 }, { type: 'a/b', size: 11 }, 'must be at most 10 bytes'],
] as [FieldSettings, { type: string; size: number }, string | undefined][])(
  'of %p the file %p',
  (asked, file, expected) => {
    expect(fileProblem(asked, file)?.problem).toBe(expected as string)
  },
)

test.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [2.5, 0, 3],
  [-2.5, 0, -3],
  [0.285 * 100, 0, 29],
  [1e-7, 2, 0],
  [123456.785, 2, 123456.79],
  [1e21, 2, 1e21],
  [-0.4, 0, 0],
  [15, -1, 20],
])('%p rounded to %p decimals is %p', (value, decimals, expected) => {
  expect(Object.is(roundTo(value, decimals), expected)).toBe(true)
})
