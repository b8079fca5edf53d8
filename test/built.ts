/** Worlds that many tests start from are built over HTTP once a process, and copied for each test. */
import { type Snapshot, type World, world } from './harness'

const built = new Map<string, { made: unknown; from: Snapshot }>()

/**
 * A world of its own for this test, in which `build` has been done.
 * @param name of what is built; what is built under one name is always the same
 * @param build returns what the tests need to know of it: data only, such as ids
 */
export async function builtOnce<T>(name: string, build: (w: World) => Promise<T>): Promise<{ w: World; made: T }> {
  let found = built.get(name) as { made: T; from: Snapshot } | undefined
  if (!found) {
    const w = world()
    found = { made: await build(w), from: w.saved() }
    built.set(name, found)
  }
  return { w: world({}, found.from), made: structuredClone(found.made) }
}
