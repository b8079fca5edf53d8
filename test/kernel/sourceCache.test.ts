/** What follows from the source is computed once for each state of it. */
import { expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keptWithSource } from '#kernel/sourceCache'

test('a value is computed once, and again after a change of the source or of the file that keeps it', async () => {
  const name = `test-${process.pid}`
  const path = join(import.meta.dir, `../../node_modules/.cache/trialbox/${name}.json`)
  let count = 0
  const kept = () => keptWithSource(name, () => ({ count: ++count }))
  try {
    expect([kept(), kept()]).toEqual([{ count: 1 }, { count: 1 }])
    expect(await keptWithSource(name, async () => ({ count: ++count }))).toEqual({ count: 1 })
    writeFileSync(path, JSON.stringify({ state: 'another', value: { count: 0 } }))
    expect([kept(), kept()]).toEqual([{ count: 2 }, { count: 2 }])
    writeFileSync(path, 'not JSON')
    expect(kept()).toEqual({ count: 3 })
    expect(existsSync(path)).toBe(true)
  } finally {
    rmSync(path, { force: true })
  }
})
