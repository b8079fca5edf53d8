import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  beginning,
  isName,
  lengthIn,
  type NameRule,
  PRISM_NAMES,
  R_NAMES,
  SAS_NAMES,
  SPSS_NAMES,
  STATA_NAMES,
  validNames,
} from '#writers/names'

test.each<[string, NameRule, string[], string[]]>([
  ['valid names stay', SPSS_NAMES, ['age', 'Größe', '身長', 'a.b', 'x_1'], ['age', 'Größe', '身長', 'a.b', 'x_1']],
  ['the words of SPSS', SPSS_NAMES, ['to', 'ALL', 'With', 'toe'], ['to_1', 'ALL_1', 'With_1', 'toe']],
  ['ends that SPSS does not take', SPSS_NAMES, ['a.', 'b_', '_c', '#d', '$e'], ['a', 'b', 'v__c', 'v__d', 'v__e']],
  ['no letters at all', SPSS_NAMES, ['', '😀', '...', '1'], ['v', 'v_2', 'v_3', 'v_1']],
  [
    'case does not tell names apart',
    SPSS_NAMES,
    ['Age', 'age', 'AGE', 'ÄGE', 'äge'],
    ['Age', 'age_2', 'AGE_3', 'ÄGE', 'äge_2'],
  ],
  ['a valid name is not taken away', SPSS_NAMES, ['a b', 'a_b', 'a-b'], ['a_b_2', 'a_b', 'a_b_3']],
  [
    'the words of Stata',
    STATA_NAMES,
    ['_n', 'int', 'strL', 'str12', 'string'],
    ['v__n', 'int_1', 'strL_1', 'str12_1', 'string'],
  ],
  ['Stata has no points and no marks', STATA_NAMES, ['a.b', 'e\u0301', 'हिन्दी'], ['a_b', 'é', 'ह_न_द_']],
  [
    '32 characters, whole ones',
    STATA_NAMES,
    [`${'x'.repeat(31)}日本`, '𝒳'.repeat(40)],
    [`${'x'.repeat(31)}日`, '𝒳'.repeat(32)],
  ],
  ['64 bytes', SPSS_NAMES, [`${'x'.repeat(63)}é`, 'é'.repeat(40)], ['x'.repeat(63), 'é'.repeat(32)]],
  ['a number takes room', STATA_NAMES, ['y'.repeat(40), 'y'.repeat(41)], ['y'.repeat(32), `${'y'.repeat(30)}_2`]],
  [
    'SAS knows ASCII only',
    SAS_NAMES,
    ['Größe', 'naïve', '身長', 'straße', '2nd', '_x'],
    ['Grosse', 'naive', 'v___', 'strasse', 'v_2nd', 'v__x'],
  ],
  [
    'the words of R',
    R_NAMES,
    ['if', 'TRUE', 'a b', '.x', 'größe', 'NA'],
    ['if_1', 'TRUE_1', 'a_b', 'v_.x', 'größe', 'NA_1'],
  ],
  ['titles of Prism', PRISM_NAMES, ['Größe (cm)', 'a\nb', 'ß', 'SS'], ['Größe (cm)', 'a_b', 'ß', 'SS_2']],
])('%s', (_, rule, wanted, names) => {
  expect(validNames(rule, wanted)).toEqual(names)
})

test.each([
  ['äöü', 4, 'bytes', 'äö'],
  ['äöü', 5, 'bytes', 'äö'],
  ['äöü', 2, 'characters', 'äö'],
  ['😀😀', 7, 'bytes', '😀'],
  ['😀😀', 1, 'characters', '😀'],
  ['abc', 3, 'bytes', 'abc'],
  ['', 0, 'bytes', ''],
] as const)('the beginning of %p in %i %s', (text, most, unit, expected) => {
  expect(beginning(text, most, unit)).toBe(expected)
})

const rules = { SPSS: SPSS_NAMES, Stata: STATA_NAMES, SAS: SAS_NAMES, R: R_NAMES, Prism: PRISM_NAMES }
const wanted = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: fc.constantFrom('a', 'A', 'ß', 'ﬁ', '_', '.', '1', ' ', '\ud83d', 'é'), maxLength: 40 }),
    fc.constantFrom('to', 'NOT', 'int', 'str9', '_all', 'if', 'a_2', 'a', 'A'),
  ),
  { maxLength: 30 },
)

describe.each(Object.entries(rules))('names of %s', (_, rule) => {
  test('property: each is valid and different, valid wanted ones stay, and the result is its own result', () => {
    fc.assert(
      fc.property(wanted, (list) => {
        const names = validNames(rule, list)
        expect(names.length).toBe(list.length)
        for (const name of names) {
          expect(isName(rule, name)).toBe(true)
          expect(lengthIn(name, rule.unit)).toBeLessThanOrEqual(rule.most)
          expect(name.isWellFormed()).toBe(true)
        }
        expect(new Set(names.map((name) => name.toUpperCase())).size).toBe(names.length)
        expect(validNames(rule, names)).toEqual(names)
        const [first] = list
        if (first !== undefined && isName(rule, first)) expect(names[0]).toBe(first)
      }),
      { numRuns: 300 },
    )
  })

  test('2,000 names that are alike are told apart', () => {
    const names = validNames(rule, new Array(2_000).fill('z'.repeat(400)))
    expect(new Set(names).size).toBe(2_000)
  })
})
