import { expect, test } from 'bun:test'
import { directionalRuns, isRightToLeft, RIGHT_TO_LEFT } from '#documents/bidi'

/** A line as it stands, from left to right, one letter beside the other. */
const shown = (line: string): string =>
  directionalRuns(line, (character) => character !== '\u29f5')
    .map(({ text, isRightToLeft }) => (isRightToLeft ? [...text].reverse().join('') : text))
    .join('')

// As Unicode's reference implementation orders them; capital letters of its examples are Hebrew here.
test.each([
  ['plain text', 'plain text'],
  ['אבג', 'גבא'],
  ['car אבג and', 'car גבא and'],
  ['אבג car דה', 'הד car גבא'],
  ['אבג 123 דה', 'הד 123 גבא'],
  ['אבג 12.5 דה', 'הד 12.5 גבא'],
  ['on 5 אבג 6 days', 'on 5 6 גבא days'],
  ['אבג (דה)', '(הד) גבא'],
  ['see (אבג) there', 'see (גבא) there'],
  ['אבג.', '.גבא'],
  ['car.', 'car.'],
  ['אב 50% גד', 'דג 50% בא'],
  ['1. אבג', 'גבא .1'],
  [`${RIGHT_TO_LEFT}car אבג`, 'גבא car'],
  ['٢٠٢٦ أ', 'أ ٢٠٢٦'],
  // A name such as P-001 stays whole; a date beside Arabic is read from right to left, as in browsers, beside Hebrew it is not.
  ['أب P-001', 'P-001 بأ'],
  ['أب 2026-03-02', '02-03-2026 بأ'],
  ['אב 2026-03-02', '2026-03-02 בא'],
  ['أب ≤ 18', '18 ≥ بأ'],
  ['א∕ב', 'ב∕א'],
  ['v2 של (אב)', 'v2 (בא) לש'],
  ['א [B] ג', 'ג [B] א'],
  ['😀 אב 𝒜', '𝒜 בא 😀'],
])('%p stands as %p', (line, expected) => {
  expect(shown(line)).toBe(expected)
})

test('the first letter says in which direction a paragraph runs', () => {
  expect(['1. אב', '• نص', 'a אב', '12', '', '😀 אב', '𝒜 אב'].map(isRightToLeft)).toEqual([
    ...[true, true, false, false, false, true, false],
  ])
})
