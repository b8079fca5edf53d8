/** The storage format of the values of a response. */
import { expect, test } from 'bun:test'
import {
  byDataType,
  extendLayout,
  layoutOf,
  sourceSubmissionAt,
  submissionsIn,
  valuesInOrder,
  withSourceSubmission,
} from '#conduct/responses/layout'

test('a layout is extended by fields that are new, and keeps its positions', () => {
  const first = layoutOf('s', ['a', 'b'])
  expect(extendLayout(first, ['b', 'a'])).toBe(first)
  expect(extendLayout(first, ['c', 'b', 'd']).dataTypes).toEqual(['a', 'b', 'c', 'd'])
  expect([...extendLayout(first, ['c', 'b']).positions]).toEqual([...[['a', 0] as const, ['b', 1] as const], ['c', 2]])
  expect(layoutOf('s', ['a', 'b'])._id).toBe(first._id)
  expect(new Set([first, layoutOf('s', ['b', 'a']), layoutOf('t', ['a', 'b'])].map(({ _id }) => _id)).size).toBe(3)
})

test('the layout of one list of fields is that of each stage', () => {
  const fields = ['a']
  expect([layoutOf('s', fields).stage, layoutOf('t', fields).stage, layoutOf('s', fields).stage]).toEqual([
    's',
    't',
    's',
  ])
})

test('values have the order of the layout, and blanks are left out', () => {
  const layout = layoutOf('s', ['a', 'b', 'c'])
  expect(valuesInOrder(layout, { c: 0, a: '', x: 1 })).toEqual(['', null, 0])
  expect(byDataType(layout, ['', null, 0])).toEqual({ a: '', c: 0 })
})

test('each value comes from the submission that changed it last', () => {
  const sources = withSourceSubmission(withSourceSubmission(7, 2, [1], 9), 4, [0, 3], 12)
  expect(sources).toEqual([12, 9, null, 12])
  expect([0, 1, 2, 3, 4].map((at) => sourceSubmissionAt(sources, at))).toEqual([12, 9, null, 12, null])
  expect(sourceSubmissionAt(7, 3)).toBe(7)
  expect([submissionsIn(sources), submissionsIn(7)]).toEqual([[12, 9], [7]])
})
