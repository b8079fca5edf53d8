/** How large a page may be when it is opened for the first time. The build fails if one is larger. */
import type { PackIndex } from './pack'

/** The most kilobytes, compressed, of scripts, styles and texts, by the name of the script. Swagger UI is not ours. */
export const budgets: Readonly<Record<string, number>> = {
  app: 60,
  landing: 10,
  account: 28,
  setup: 26,
  // On test servers only.
  gallery: 30,
  links: 30,
}

/** What a page with this script loads: the style of all pages, its modules, and the largest texts of one language. */
export function firstLoad({ files, entries, assets }: PackIndex, name: string): number {
  const size = (path: string | undefined) => {
    const file = path === undefined ? undefined : files[path]
    return file ? file.end - file.start : 0
  }
  const entry = entries[name]
  const modules = entry ? [entry.script, ...entry.imports] : []
  const sizeOf = (paths: readonly (string | undefined)[]) => paths.reduce((sum, path) => sum + size(path), 0)
  const own = sizeOf([
    ...modules,
    assets[['app', 'links'].includes(name) ? `${name}.css` : 'style.css'],
    assets['icon.svg'],
  ])
  return own + Math.max(...Object.values(entry?.texts ?? {}).map(sizeOf))
}

/** Which pages are larger than they may be, and those without a budget; in words. */
export const overBudget = (index: PackIndex): string[] =>
  Object.keys(index.entries)
    .filter((name) => name !== 'docs')
    .map((name) => ({ name, size: firstLoad(index, name) / 1000, most: budgets[name] ?? 0 }))
    .filter(({ size, most }) => size > most)
    .map(({ name, size, most }) => `${name} (${size.toFixed(1)} kB, at most ${most})`)

/**
 * The most kilobytes, compressed, that the app keeps on a person's own device for when there is no connection: what every device
 * keeps, and the largest texts of a second language. Browsers without `Temporal` keep `OLDER_BUDGET` more.
 */
export const OFFLINE_BUDGET = 150
export const OLDER_BUDGET = 20

/** What the service worker keeps, in kilobytes. @param worker its script, which names the files */
export function keptOffline({ files }: PackIndex, worker: string): { kept: number; older: number } {
  const sizeOf = (paths: Iterable<string>) =>
    [...new Set(paths)].reduce((sum, path) => sum + (files[path] ? files[path].end - files[path].start : 0), 0) / 1000
  const named = worker.matchAll(/"(\/web\/[^"]+)"/g).map(([, path = '']) => path)
  const groups = [...worker.matchAll(/(\w+):\[("[\w.-]+\.js"(?:,"[\w.-]+\.js")*)\]/g)].map(
    ([, name = '', list = '']) => [name, sizeOf(list.split(',').map((each) => `/web/${each.slice(1, -1)}`))] as const,
  )
  const languages = groups.filter(([name]) => name.length === 2).map(([, size]) => size)
  return {
    kept: sizeOf(named) + (languages.length ? Math.max(...languages) : Number.NaN),
    older: new Map(groups).get('older') ?? Number.NaN,
  }
}
