/** Worlds that many tests start from: built over HTTP once in each process, and copied for each test. */
import { type Snapshot, type World, world } from './harness'

const snapshots = new Map<string, { made: unknown; from: Snapshot }>()

/**
 * A world of its own for this test, in which `build` has been done.
 * @param name a name of what `build` does: the same name always means the same world
 * @param build returns the world and the data that tests need, such as ids
 */
export async function buildOnce<T>(
  name: string,
  build: () => Promise<{ w: Pick<World, 'saved'>; made: T }>,
): Promise<{ w: World; made: T }> {
  let found = snapshots.get(name) as { made: T; from: Snapshot } | undefined
  if (!found) {
    const { w, made } = await build()
    found = { made, from: w.saved() }
    snapshots.set(name, found)
  }
  return { w: world({}, found.from), made: structuredClone(found.made) }
}
