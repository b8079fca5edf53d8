import { expect, test } from 'bun:test'
import { idMaker, isId } from '#kernel/id'
import { SECOND } from '#kernel/time'

test('ids sort by creation, also when the counter of the process starts again', () => {
  const make = idMaker('0123456789', 0xfffffc)
  const at = 1_700_000_000 * SECOND
  const made = [at - SECOND, at, at, at, at, at + SECOND - 1, at + SECOND, at + SECOND, at + 3 * SECOND].map(make)
  expect(made.every(isId)).toBe(true)
  expect(made[3]!.slice(-6)).toBe('000000')
  expect(made).toEqual(made.toSorted())
  expect(new Set(made).size).toBe(made.length)
})
