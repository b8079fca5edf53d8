/** The pack, from source: made in memory at the first request of a page. `scripts/build.ts` puts another file in the place of this one. */
import type { Pack } from './pack'

/** Returns the pack. */
export async function loadPack(): Promise<Pack> {
  const [{ bundlePages }, { packOf }] = await Promise.all([import('./bundle'), import('./makePack')])
  // Compressed as quickly as possible: a developer waits for it after each change.
  const { index, bytes } = packOf(await bundlePages(), 1)
  return { index, read: ({ start, end }) => new Blob([bytes.subarray(start, end)]) }
}
