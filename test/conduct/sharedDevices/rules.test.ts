import { describe, expect, test } from 'bun:test'
import { isWithinSession, pinProblem, randomPin, stateOf } from '#conduct/sharedDevices/rules'
import { HOUR, MINUTE } from '#kernel/time'

describe('the state of a device', () => {
  test.each([
    [{ openedAt: null, expiresAt: 10, endedAt: null }, 9, 'waiting'],
    [{ openedAt: 1, expiresAt: 10, endedAt: null }, 9, 'open'],
    [{ openedAt: 1, expiresAt: 10, endedAt: null }, 10, 'expired'],
    [{ openedAt: null, expiresAt: 10, endedAt: null }, 11, 'expired'],
    [{ openedAt: 1, expiresAt: 10, endedAt: 5 }, 11, 'ended'],
  ] as const)('%p at %p is %p', (times, now, state) => expect(stateOf(times, now)).toBe(state))
})

test.each([
  ['2846', 'P-1', true],
  ['0000', 'P-1', false],
  ['1234', 'P-1', false],
  ['87654321', 'P-1', false],
  ['1357', 'P-1', true],
  ['0012', 'P-12', false],
  ['2846', 'P-28/46', false],
  ['12344321', 'P-1', true],
])('the PIN %p of %p is taken: %p', (pin, id, isTaken) => expect(pinProblem(pin, id) === undefined).toBe(isTaken))

test('a made PIN has six digits, and another is made if it is easy to guess', () => {
  const numbers = [4_294_000_000, 123_456, 5]
  const random = () => {
    const next = numbers.shift() ?? 0
    return Uint8Array.from([next >>> 24, (next >>> 16) & 255, (next >>> 8) & 255, next & 255])
  }
  expect(randomPin('P-1', random)).toBe('000005')
})

test.each([
  [[undefined], true],
  [[HOUR], true],
  [[HOUR - 10 * MINUTE, 3 * HOUR + 10 * MINUTE], true],
  [[HOUR - 11 * MINUTE], false],
  [[HOUR, 3 * HOUR + 11 * MINUTE], false],
])('answers at %p are of a session of two hours that began at one: %p', (times, is) =>
  expect(isWithinSession(times, HOUR, 2 * HOUR)).toBe(is),
)
