import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { study } from '../../study'

/** The priority of each thread of this process by its number; 0 is the usual one, a larger number a lower one. */
const priorities = () =>
  new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      return [Number(thread), Number(fields[16])]
    }),
  )

test.skipIf(process.platform !== 'linux')('exports run at a lower priority than requests', async () => {
  const s = await study()
  const before = priorities()
  await s.owner.do('exportResponses', s.trial, { type: 'csv' })
  const after = priorities()
  expect(after.get(process.pid)).toBe(before.get(process.pid))
  expect(Math.max(...after.values())).toBeGreaterThan(after.get(process.pid)!)
})
