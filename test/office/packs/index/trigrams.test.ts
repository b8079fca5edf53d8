import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { trialPrefix } from '#db/trialPrefix'
import { expressionOf, wordsOf } from '#office/packs/index/trigrams'

const TRIAL = 'a'.repeat(24)
const mark = trialPrefix(TRIAL)
const wordsIn = (expression: string | undefined) =>
  expression?.split(' AND ').map((word) => word.slice(1 + mark.length, -1))

test.each([
  ['', []],
  ['ab', []],
  ['abc', ['abc']],
  ['abcabc', ['abc', 'bca', 'cab']],
  ['a b', ['a\ue020b']],
  ['"%_', ['\ue022\ue025\ue05f']],
  ['k\u0001b', ['k\ue001b']],
  ['😀ñ한x', ['😀ñ한', 'ñ한x']],
])('the trigrams of %p', (text, trigrams) => {
  expect(wordsOf(TRIAL, text)).toEqual(trigrams.map((trigram) => mark + trigram))
})

test.each([
  ['ab', undefined],
  ['abc', ['abc']],
  ['abcd', ['abc', 'bcd']],
  ['abcdef', ['abc', 'def']],
  ['aaaaaaaa', ['aaa']],
  ['a"b" OR c*', ['a\ue022b', '\ue022\ue020o', 'r\ue020c', '\ue020c\ue02a']],
])('the expression of %p covers it', (term, words) => {
  expect(wordsIn(expressionOf(TRIAL, term.toLowerCase()))).toEqual(words)
})

test('a text has all trigrams of each of its parts, and none of another trial', () => {
  const sign = fc.constantFrom(...'ab01 -"%_*\u0001\ue020ß\u0301é', '😀', '한', '\u2028')
  const signs = fc.array(sign, { minLength: 3, maxLength: 12 })
  fc.assert(
    fc.property(signs, fc.nat(11), fc.nat(12), (text, from, length) => {
      const has = new Set(wordsOf(TRIAL, text.join('')))
      const term = text.slice(from, from + length).join('')
      const asked = wordsIn(expressionOf(TRIAL, term)) ?? []
      expect(asked.length > 0).toBe([...term].length > 2)
      expect(asked.filter((word) => !has.has(mark + word))).toEqual([])
      const other = wordsOf('b'.repeat(24), text.join(''))
      expect(other.filter((word) => has.has(word))).toEqual([])
    }),
  )
})
