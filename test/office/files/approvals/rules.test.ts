import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { outcomeOf } from '#office/files/approvals/rules'

test.each([
  [[null], 'open'],
  [['approved'], 'approved'],
  [['approved', null], 'open'],
  [['approved', 'approved'], 'approved'],
  [['rejected', null], 'rejected'],
  [['approved', 'rejected', null], 'rejected'],
] as const)('%j: %s', (decisions, outcome) => {
  expect(outcomeOf(decisions)).toBe(outcome)
})

test('the order of decisions makes no difference', () => {
  const decision = fc.constantFrom('approved' as const, 'rejected' as const, null)
  fc.assert(
    fc.property(fc.array(decision, { minLength: 1 }), (all) => {
      expect(outcomeOf([...all].reverse())).toBe(outcomeOf(all))
    }),
  )
})
