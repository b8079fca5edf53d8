import { expect, test } from 'bun:test'
import { operations } from '#start/app'
import { ask, nameOf } from './every-operation.shared'
import { everything } from './everything'
import { ofToday } from './proof'

/** The error of a commit that the machine prevents. */
const failure = (code: string) => Object.assign(new Error(`the machine failed with ${code}`), { code })

test.each(
  ofToday<[string, number]>([
    ['SQLITE_FULL', 507],
    ['ENOSPC', 507],
    ['SQLITE_IOERR_WRITE', 503],
    ['SQLITE_READONLY', 503],
    ['EACCES', 503],
    ['EROFS', 503],
    ['SQLITE_ERROR', 500],
  ]),
)('if a commit fails with %s, every operation that changes something answers %d in JSON', async (code, status) => {
  const every = await everything()
  const { services } = every.service
  services.commit = () => Promise.reject(failure(code))
  const wrong: string[] = []
  let count = 0
  for (const op of operations) {
    const answer = await ask(every.owner, op, every)
    every.takeFaults()
    if (answer.status === status) count++
    // A request that was refused before, or that writes nothing, is answered as always.
    else if (answer.status >= 500 && op.path !== '/health') wrong.push(`${nameOf(op)}: ${answer.status}`)
    else if (answer.status === 200 && op.method !== 'GET') wrong.push(`${nameOf(op)}: 200`)
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(70)
})
