import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { amountOf, decimalText, readAmount } from '#office/incentives/wallet/money'

test.each([
  [25, 'EUR', { minor: 2500 }],
  [19.99, 'EUR', { minor: 1999 }],
  [0.29, 'USD', { minor: 29 }],
  [1.005, 'EUR', { problem: 'Must have at most 2 decimals.' }],
  [0, 'EUR', { problem: 'Must be more than 0.' }],
  [-5, 'EUR', { problem: 'Must be more than 0.' }],
  [0.001, 'EUR', { problem: 'Must be more than 0.' }],
  [Number.NaN, 'EUR', { problem: 'Must be more than 0.' }],
  [500, 'JPY', { minor: 500 }],
  [500.5, 'JPY', { problem: 'JPY has no decimals.' }],
  [1.234, 'KWD', { minor: 1234 }],
  [1e12, 'EUR', { problem: 'Must be at most 1000000000.' }],
])('%p %s is %j', (amount, currency, read) => {
  const result = readAmount(amount, currency)
  expect('problem' in result ? { problem: result.problem.text } : result).toEqual(read)
})

test('every amount of minor units is on the wire what it was inside, in each number of decimals', () => {
  const currencies = fc.constantFrom('EUR', 'JPY', 'BHD')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000_000 }), currencies, (minor, currency) => {
      expect(readAmount(amountOf(minor, currency), currency)).toEqual({ minor })
      expect(Number(decimalText(minor, currency))).toBe(amountOf(minor, currency))
    }),
  )
})
