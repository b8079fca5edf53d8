/** The pages for the executable: bundled, compared with their budgets, compressed, and put into the place of `src/web/serving/loadPack.ts`. */
import { join } from 'node:path'
import { offlineSizeOf, overBudget, overOfflineBudget } from '#web/serving/budget'
import { bundlePages } from '#web/serving/bundle'
import { packOf } from '#web/serving/makePack'

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
  const worker = new TextDecoder().decode(bundle.files.get('/app/sw.js')?.bytes)
  const over = [...overBudget(index), ...overOfflineBudget(offlineSizeOf(index, worker))]
  if (over.length) throw new Error(`These pages are larger than their budget: ${over.join(', ')}.`)
  return {
    [join(serving, 'web.pack')]: bytes,
    [join(serving, 'loadPack.ts')]: `
      import path from './web.pack' with { type: 'file' }
      const index = ${JSON.stringify(index)}
      export const loadPack = async () => ({ index, read: ({ start, end }) => Bun.file(path).slice(start, end) })`,
  }
}
