import { expect, test } from 'bun:test'
import { normalizeCode, plainDigits } from '#kernel/digits'

test.each([
  ['123456', '123456'],
  ['123 456', '123456'],
  ['123\u00a0456', '123456'],
  ['123\u202f456\n', '123456'],
  ['1234-5678–9012', '123456789012'],
  ['١٢٣٤٥٦', '123456'],
  ['۱۲۳۴۵۶', '123456'],
  ['१२३४५६', '123456'],
  ['１２３４５６', '123456'],
  ['\u200f\u2067123456\u2069', '123456'],
  ['AB-12', 'AB12'],
  ['', ''],
])('%j, as a code, is %j', (typed, code) => {
  expect(normalizeCode(typed)).toBe(code)
})

test('digits change, and nothing else', () => {
  expect(plainDigits('٠٫٩ – ۹ – ९ – 9 😀')).toBe('0٫9 – 9 – 9 – 9 😀')
})
