/** The fuzz reports the simplest request that fails. */
import { expect, test } from 'bun:test'
import type { FuzzRequest } from './fuzz.requests'
import { lineOf, shrink } from './fuzz.shrink'

const request: FuzzRequest = {
  caller: 'owner',
  operation: 'POST /trials/:trialId/groups',
  method: 'POST',
  path: '/trials/1/groups',
  query: { page: '3', sort: 'up' },
  body: { name: 'Group of four', colours: ['red', 'a long \ud83d text', { deep: [1, 2, 3] }], more: { a: 1, b: null } },
  headers: { 'Idempotency-Key': 'key 1' },
}

const holdsHalf = ({ body }: FuzzRequest) => /\\ud83d/.test(JSON.stringify(body))

test('parts that the failure does not need are left out', async () => {
  const send = async (sent: FuzzRequest) => (holdsHalf(sent) ? { status: 500, wrong: 'answered 500' } : { status: 200 })
  const least = await shrink(request, 'answered 500', send)
  expect(lineOf(least)).toBe('POST /trials/1/groups | as owner | {"colours":["\\ud83d"]}')
})

test('a request that fails in another way is not what is looked for', async () => {
  const send = async (sent: FuzzRequest) =>
    holdsHalf(sent) && 'page' in sent.query
      ? { status: 500, wrong: 'answered 500: no column' }
      : { status: 500, wrong: 'took 2100 ms' }
  const least = await shrink(request, 'answered 500: no column', send)
  expect(least.query).toEqual({ page: '' })
  expect(least.body).toEqual({ colours: ['\ud83d'] })
})

test('a request that succeeds when it is sent again is reported as it was', async () => {
  expect(await shrink(request, 'answered 500', async () => ({ status: 200 }))).toEqual(request)
})
