/** Patterns that staff write are matched in linear time, and mean what they mean in JavaScript. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { patternOf, SUBMISSION_STEPS } from '#design/dataTypes/pattern'
import { stepCounter } from '#design/dataTypes/patternSteps'
import { patternReason } from '#design/dataTypes/problemReasons'

const LOOK = /^Look-ahead and look-behind, such as .* are not possible: describe the whole text/
const BACK = /^References to what a group matched, such as .* are not possible: write out the alternatives/
const BRACKET = 'Has a bracket, ( or ), without its other half.'
const TOO_MANY = 'Takes more than 1000 steps for each character, which is the limit: repeat less often.'
const REPEAT = 'Has a repeat (*, +, ?, {…}) with nothing before it that can repeat.'

describe('a refusal says what is not possible, and what to write instead:', () => {
  const refused: [pattern: string, problem: string | RegExp][] = [
    ['(?=.*\\d).{8}', LOOK],
    ['(?!0)\\d', LOOK],
    ['(?<=a)b', LOOK],
    ['(?<!a)b', LOOK],
    ['(a)\\1', BACK],
    ['(?<x>a)\\k<x>', BACK],
    ['(?i)yes', 'Groups with flags, such as (?i), are not possible: write both cases, such as [Aa].'],
    ['[[:alpha:]]+', 'Sets with a name, such as [:alpha:], are not possible: write A-Za-z, \\d or \\p{L}.'],
    ['\\p{Alphabetic}', /^Must name a general category, such as \\p\{L\} .*: \\p\{Alphabetic\}$/],
    ['\\p{Script=Klingon}', 'Must be a valid regular expression.'],
    ['\\z', '\\z has no meaning here.'],
    ['(', BRACKET],
    ['a)', BRACKET],
    ['a)(?:b', BRACKET],
    ['[a', 'A [ is without its ].'],
    ['[z-a]', 'The ends of a range are in the wrong order: z-a.'],
    ['*a', REPEAT],
    ['a**', REPEAT],
    ['a{2,1}', /^Has a repeat whose numbers are in the wrong order, or more than 1000/],
    ['(a{0,40}){40}', /multiplied by the repeats around it\.$/],
    ['a\\', 'Ends with a \\ that nothing follows.'],
    ['\\ud800', 'Is not the code of a character: \\ud800'],
    ['\\u{110000}', 'Is not the code of a character: \\u{110000}'],
    ['.{900}.{900}', TOO_MANY],
    [`(?:${'a'.repeat(180)}){999}`, TOO_MANY],
    ['(?:\\p{L}{0,200}){1,3}', TOO_MANY],
    ['\\b{9999}^3', TOO_MANY],
    ['x'.repeat(201), 'Must be at most 200 characters.'],
  ]
  test.each(refused)('%p', (pattern, problem) => {
    expect(patternReason(pattern, 200)?.text).toMatch(problem)
  })
  test('and names the maxLength at which a costly pattern is possible', () => {
    expect(patternReason('(ab?){100}', 200)).toBeUndefined()
    const problem = patternReason('(ab?){100}', 10_000)!.text
    const most = Number(
      /^Takes too long for a text of 10000 characters: set maxLength to at most (\d+)\.$/.exec(problem)?.[1],
    )
    expect(patternReason('(ab?){100}', most)).toBeUndefined()
    expect(patternReason('(ab?){100}', most + 1)).toBeDefined()
  })
})

// Each is quick to write and would hold a backtracking matcher for seconds or for ever.
const evil = [
  '(?:a??){23}a{23}x',
  '(a+)+b',
  '(a|aa)*b',
  '(a|a)*b',
  '[^](a+)+x[^]',
  '(?:(?<n>a?)b?){60}',
  '.*.*.*.*.*.*.*.*x',
  `${'a?'.repeat(40)}${'a'.repeat(40)}`,
  '((a*)*)*b',
  '(?:a|b)*a(?:a|b){400}',
  '(?:\\p{L}{0,90}\\p{Lu}?){1,5}x',
  '(\\w+\\s?)+\\.',
]

describe('the cost of a text is at most the steps of the pattern for each of its characters:', () => {
  test.each(evil)('%p', (pattern) => {
    const found = patternOf(pattern)!
    // Without a counter or a backtrack, the program is all that can run at a character.
    expect(found.steps).toBeLessThanOrEqual(1_000)
    const cost = stepCounter({ format: 'text', pattern })!
    expect(cost('a'.repeat(200)) - cost('a'.repeat(100))).toBe(100 * found.steps)
    // Decided at lengths at which trying all ways would never end.
    expect(found.matches(`${'a'.repeat(20_000)}!`)).toBe(false)
  })

  test('no pattern is taken whose texts cost more than a submission may', () => {
    const part = fc.constantFrom('a', 'b?', '.', '\\p{L}', '[^a]', '(', ')', '|', '*', '+', '?', '{2,9}', '{99}', '^')
    const patterns = fc.array(part, { maxLength: 60 }).map((parts) => parts.join('').slice(0, 200))
    fc.assert(
      fc.property(patterns, fc.integer({ min: 1, max: 100_000 }), (pattern, longest) => {
        if (patternReason(pattern, longest) !== undefined) return
        expect(patternOf(pattern)!.steps * longest).toBeLessThanOrEqual(SUBMISSION_STEPS)
      }),
    )
  })
})

test('the checks of answers are for browsers too', async () => {
  const { success, outputs } = await Bun.build({ entrypoints: ['src/web/form/engine/engine.ts'], target: 'browser' })
  expect(success).toBe(true)
  const [code] = await Promise.all(outputs.map((output) => output.text()))
  expect(code).toContain('RE2JS')
  expect(code).not.toMatch(/\bBun\.|from ["'](?:node|bun):/)
})

/** Random patterns of all that is possible. */
const { patterns } = fc.letrec<{ patterns: string; sequence: string; item: string }>((tie) => {
  const characters =
    'a b A 1 _ é Ω 😀 \\. \\n \\r \\t \\v \\f \\0 \\x61 \\u0061 \\u{1f600} \\ud83d\\ude00 \\cA \\$ \\/ \\[ \\\\'
  const single = fc.constantFrom(' ', ...characters.split(' '))
  const kinds = '\\d \\D \\w \\W \\s \\S \\p{L} \\P{L} \\p{Lu} \\p{N} \\p{Zs} \\p{Script=Greek} \\p{sc=Greek}'.split(
    ' ',
  )
  const ranges = 'a-z A-Z 0-9 \\x00-\\x7f é-Ω 😀-😂 . $ ( ) * | \\b \\- \\] { , &'.split(' ')
  const member = fc.oneof(single, fc.constantFrom(...kinds, ...ranges))
  const set = fc
    .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 3 }), fc.constantFrom('', '-'))
    .map(([sign, members, last]) => `[${sign}${members.join('')}${last}]`)
  const repeats = fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '??', '{1,2}?')
  const groups = fc.tuple(
    fc.constantFrom('(', '(?:'),
    tie('patterns'),
    fc.constantFrom(')', ')*', ')+', ')??', '){0,2}'),
  )
  return {
    patterns: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
    sequence: fc.array(tie('item'), { maxLength: 3 }).map((parts) => parts.join('')),
    item: fc.oneof(
      { depthSize: 'small' },
      single,
      fc.constantFrom('.', '^', '$', '\\b', '\\B', ...kinds),
      set,
      fc.tuple(fc.oneof(single, set), repeats).map((parts) => parts.join('')),
      groups.map((parts) => parts.join('')),
    ),
  }
})
const SIGNS = ['a', 'b', 'A', '1', '_', '-', ' ', '.', '$', '[', '\\', 'é', 'Ω', 'ω', '😀']
const UNSEEN = [
  '\n',
  '\r',
  '\v',
  '\u0000',
  '\u0001',
  '\u00a0',
  '\u1680',
  '\u200b',
  '\u2028',
  '\u202f',
  '\u3000',
  '\ufeff',
]
const texts = fc.array(fc.constantFrom(...SIGNS, ...UNSEEN), { maxLength: 5 }).map((parts) => parts.join(''))

const valid = patterns.filter((pattern) => !/\\0\d/.test(pattern)) // an octal escape, which Unicode mode has not

test('random patterns fit the same texts as they do in JavaScript', () => {
  const answers = { true: 0, false: 0 }
  fc.assert(
    fc.property(valid, fc.array(texts, { minLength: 12, maxLength: 12 }), (pattern, several) => {
      const found = patternOf(pattern)
      if (!found) throw new Error(`${pattern} was refused: ${patternReason(pattern, 200)?.text}`)
      const same = new RegExp(`^(?:${pattern})$`, 'u')
      for (const text of several) {
        answers[`${same.test(text)}`]++
        expect({ text, fits: found.matches(text) }).toEqual({ text, fits: same.test(text) })
      }
    }),
    { numRuns: 2_000 },
  )
  expect(Math.min(answers.true, answers.false)).toBeGreaterThan(200)
})

test('each character is of the same kind as in JavaScript', () => {
  for (const kind of ['\\d', '\\w', '\\s', '\\S', '.', '[^]', '[\\s]', '[^\\S]', '[\\d\\S]']) {
    const [found, same] = [patternOf(kind)!, new RegExp(`^(?:${kind})$`, 'u')]
    const differing: string[] = []
    for (let code = 0; code < 0x10000; code++) {
      const text = String.fromCharCode(code)
      if (text.isWellFormed() && found.matches(text) !== same.test(text)) differing.push(code.toString(16))
    }
    expect({ kind, differing }).toEqual({ kind, differing: [] })
  }
})

const loose: [pattern: string, fits: string[], others: string[]][] = [
  ['\\d{3}\\-\\d', ['123-4'], ['1234', '123\\-4']],
  ['[\\w-.]+', ['a-b.c'], ['a b']],
  ['a{,3}', ['a{,3}'], ['aa']],
  ['x}', ['x}'], ['x']],
  ["\\'\\_\\ \\#", ["'_ #"], ['\\']],
  ['(?<year>\\d{4})', ['2026'], ['x']],
]
test.each(loose)('%p, which JavaScript takes outside of Unicode mode only, is possible', (pattern, fits, others) => {
  const found = patternOf(pattern)!
  expect(fits.filter((text) => !found.matches(text))).toEqual([])
  expect(others.filter((text) => found.matches(text))).toEqual([])
})
