import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  afterFailure,
  type FailureRecord,
  failuresAt,
  limitText,
  NO_FAILURES,
  OF_ACCOUNT,
  OF_ADDRESS,
  withoutFailures,
} from '#access/lockout'
import { DAY, HOUR, MINUTE, SECOND } from '#kernel/time'

/** The record after so many failures in a row, each as soon as it is possible. */
function failed(times: number, policy = OF_ACCOUNT, start = 20 * SECOND) {
  let record: FailureRecord = NO_FAILURES
  let now = start
  for (let n = 0; n < times; n++) {
    now = Math.max(now, record.lockedUntil)
    record = afterFailure(record, policy, now)
  }
  return { record, now, wait: Math.max(0, record.lockedUntil - now) }
}

test.each([
  [9, 0, ''],
  [10, 40 * SECOND, '10 per 1 minute'],
  [11, 2 * MINUTE, '1 per 2 minutes'],
  [12, 4 * MINUTE, '1 per 4 minutes'],
  [13, 8 * MINUTE, '1 per 8 minutes'],
  [16, HOUR, '1 per 60 minutes'],
  [40, HOUR, '1 per 60 minutes'],
])('after %p failures an account waits %p µs', (times, wait, limit) => {
  const { record, wait: actual } = failed(times)
  expect(actual).toBe(wait)
  if (limit) expect(limitText(record, OF_ACCOUNT)).toBe(limit)
})

test('an address has sixty free failures, and waits at most a quarter of an hour', () => {
  expect(failed(59, OF_ADDRESS).wait).toBe(0)
  expect(failed(60, OF_ADDRESS).wait).toBe(40 * SECOND)
  expect(failed(80, OF_ADDRESS).wait).toBe(15 * MINUTE)
})

test('ten failures are forgotten a day, so that rare mistakes never add up', () => {
  let record: FailureRecord = NO_FAILURES
  for (let n = 0; n < 1000; n++) {
    record = afterFailure(record, OF_ACCOUNT, n * (DAY / 10))
    expect(record.lockedUntil).toBe(0)
  }
  const { record: many, now } = failed(1000)
  expect(failuresAt(many, OF_ACCOUNT, now + 2 * DAY)).toBe(0)
})

test('giving back never leaves fewer than none, and ends no wait', () => {
  const { record, now } = failed(11)
  expect(withoutFailures(record, OF_ACCOUNT, 100, now)).toEqual({ ...record, failures: 0, at: now })
})

test('somebody who tries whenever it is possible gets at most 10 + 24 a day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: MINUTE }), (days, start) => {
      let record: FailureRecord = NO_FAILURES
      let count = 0
      for (let now = start; now < start + days * DAY; now = Math.max(now, record.lockedUntil)) {
        record = afterFailure(record, OF_ACCOUNT, now)
        count++
      }
      expect(count).toBeLessThanOrEqual(20 + 24 * days)
    }),
  )
})
