import { expect, test } from 'bun:test'
import { operations } from '#start/app'
import { ask, bodyOf, isOpen, pathOf, whoMay } from './every-operation.shared'
import { everything } from './everything'
import { world } from './harness'

test('one request too many in a minute is 429, and the next minute counts anew', async () => {
  const limited = operations.filter((op) => op.limit !== undefined && !isOpen(op) && !whoMay(op).includes('session'))
  expect(limited.length).toBeGreaterThan(2)
  for (const op of limited) {
    const every = await everything()
    every.clock('2026-03-02T12:05:00Z')
    const person = whoMay(op).includes('staff') ? every.owner : await every.signIn()
    every.clock('2026-03-02T12:06:00Z')
    for (let count = 0; count < op.limit!; count++) {
      // Requests are counted before validation, so that failed attempts count too.
      expect(
        (await person.call(op.method, `${pathOf(op, every)}&x`.replace(/^([^?]*)&/, '$1?'), bodyOf(op, every))).status,
      ).not.toBe(429)
    }
    const refused = await ask(person, op, every)
    expect(refused.status).toBe(429)
    expect(refused.body['Allowed limit']).toBe(`${op.limit} per 1 minute`)
    expect(refused.headers.get('retry-after')).toBe('60')
    every.clock(60_000_000)
    expect((await ask(person, op, every)).status).not.toBe(429)
  }
})

test('--rate-limit limits every operation without a limit of its own, per account', async () => {
  const { owner, trial, invite } = world({ rateLimit: 3 })
  const id = trial()
  for (let count = 0; count < 3; count++) expect((await owner.call('GET', `/trials/${id}`)).status).toBe(200)
  expect((await owner.call('GET', '/users/me')).status).toBe(429)
  expect((await invite().call('GET', '/users/me')).status).toBe(200)
})
