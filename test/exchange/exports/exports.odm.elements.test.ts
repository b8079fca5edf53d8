import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { decimalText } from '#exchange/exports/odm/elements'

test.each([
  ['1e-7', '0.0000001'],
  ['-1.25e-9', '-0.00000000125'],
  ['1e+21', '1000000000000000000000'],
  ['1.5e+21', '1500000000000000000000'],
  ['1.234e1', '12.34'],
  ['36.25', '36.25'],
  ['', ''],
  ['2e', '2e'],
])('%p as a number without an exponent is %p', (text, written) => {
  expect(decimalText(text)).toBe(written)
})

test('a number without an exponent is the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const written = decimalText(String(number))
      expect(written).toMatch(/^-?\d+(\.\d+)?$/)
      expect(Number(written)).toBe(number === 0 ? 0 : number)
    }),
  )
})
