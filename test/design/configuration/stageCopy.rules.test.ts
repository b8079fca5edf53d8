import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { codeFrom, replaceIds } from '#design/trials/rules'
import { configuration } from './copy.study'

const hex = fc.stringMatching(/^[0-9a-f]{24}$/)

test('remap replaces every reference, and the reverse mapping restores the configuration', () => {
  const cases = fc
    .uniqueArray(hex, { minLength: 2, maxLength: 8 })
    .filter((ids) => ids.length % 2 === 0)
    .chain((all) => {
      const old = all.slice(0, all.length / 2)
      return configuration(old).map((value) => ({ old, fresh: all.slice(all.length / 2), value }))
    })
  fc.assert(
    fc.property(cases, ({ old, fresh, value }) => {
      const there = replaceIds(value, new Map(old.map((id, at) => [id, fresh[at]!])))
      for (const id of old) expect(JSON.stringify(there)).not.toContain(id)
      expect(replaceIds(there, new Map(fresh.map((id, at) => [id, old[at]!])))).toEqual(value)
      expect(replaceIds(value, new Map())).toEqual(value)
    }),
  )
})

test('after 99 taken codes of one name, the next code gets a random ending', () => {
  const asked: string[] = []
  expect(codeFrom('Sleep', (code) => asked.push(code) > 0, 'abcdef')).toBe('sleep-abcdef')
  expect(asked).toHaveLength(99)
})
