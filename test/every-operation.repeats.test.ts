/** A repeated write with its Idempotency-Key, in a loop over all operations that change something. */
import { expect, test } from 'bun:test'
import { timeStepOf } from '#accounts/users/totp'
import { operations } from '#app'
import type { AnyOperation } from '#http/operation'
import { bodyOf, nameOf, pathOf, stored, whoMay } from './every-operation.shared'
import { type Everything, everything } from './everything'
import { PASSWORD, type Person } from './harness'

const keyed = operations.filter((op) => op.method !== 'GET' && !op.secret)

console.log(timeStepOf, bodyOf, pathOf, stored, whoMay, PASSWORD, everything, keyed.length, nameOf)
test('x', async () => {
  const every: Everything = await everything()
  const session = await every.signInStaff(every.owner)
  const participant = await every.signIn()
  const as = (op: AnyOperation): Person =>
    whoMay(op).includes('participant') ? participant : whoMay(op).includes('session') ? session : every.owner
  for (const op of keyed) {
    const every = await everything()
    const session = await every.signInStaff(every.owner)
    const participant = await every.signIn()
    const as = (op: AnyOperation): Person =>
      whoMay(op).includes('participant') ? participant : whoMay(op).includes('session') ? session : every.owner
    const send = () => as(op).call(op.method, pathOf(op, every), bodyOf(op, every), { headers: { 'Idempotency-Key': 'k' } })
    const a = await send()
    const b = await send()
    if (a.status !== 200 || b.status !== 200 || JSON.stringify(a.body) !== JSON.stringify(b.body)) console.log(nameOf(op), a.status, JSON.stringify(a.body).slice(0, 150), '||', b.status, JSON.stringify(b.body).slice(0, 150))
  }
  expect(as).toBeDefined()
}, 100000)
