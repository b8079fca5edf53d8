import { expect, test } from 'bun:test'
import { directed, isRightToLeft, RIGHT_TO_LEFT } from '#documents/bidi'

/** A line as it stands, from left to right, one letter beside the other. */
const shown = (line: string): string =>
  directed(line)
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
])('%p stands as %p', (line, expected) => {
  expect(shown(line)).toBe(expected)
})

test('the first letter says in which direction a paragraph runs', () => {
  expect(['1. אב', '• نص', 'a אב', '12', ''].map(isRightToLeft)).toEqual([true, true, false, false, false])
})
