/** The pages for the executable: bundled, compared with their budgets, compressed, and put into the place of `src/web/serving/packed.ts`. */
import { join } from 'node:path'
import { keptOffline, OFFLINE_BUDGET, OLDER_BUDGET, overBudget } from '#web/serving/budget'
import { bundlePages, packOf } from '#web/serving/bundle'

const serving = join(import.meta.dir, '../src/web/serving')
/** The best compression. It takes some seconds, once for each build. */
const QUALITY = 11

/**
 * The files that the build of the executable reads in the place of those in the source.
 * @throws if a page, or what the app keeps on a device, is larger than its budget
 */
export async function embeddedPages(): Promise<Record<string, string | Uint8Array<ArrayBuffer>>> {
  const bundle = await bundlePages()
  const { index, bytes } = packOf(bundle, QUALITY)
  const over = overBudget(index)
  if (over.length) throw new Error(`These pages are larger than their budget: ${over.join(', ')}.`)
  const { kept, older } = keptOffline(index, new TextDecoder().decode(bundle.files.get('/app/sw.js')?.bytes))
  // Not a number if the worker is written in another way: then nobody knows how much it is.
  if (!(kept <= OFFLINE_BUDGET && older <= OLDER_BUDGET))
    throw new Error(
      `The app keeps ${kept.toFixed(1)} kB on a device, and ${older.toFixed(1)} more on older ones: at most ${OFFLINE_BUDGET} and ${OLDER_BUDGET} are wanted.`,
    )
  return {
    [join(serving, 'web.pack')]: bytes,
    [join(serving, 'packed.ts')]: `
      import path from './web.pack' with { type: 'file' }
      const index = ${JSON.stringify(index)}
      export const loadPack = async () => ({ index, read: ({ start, end }) => Bun.file(path).slice(start, end) })`,
  }
}
