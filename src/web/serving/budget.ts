/** How large a page may be when it is opened for the first time. The build fails if one is larger. */
import type { PackIndex } from './pack'

/** The most kilobytes, compressed, of scripts, styles and texts, by the name of the script. Swagger UI is not ours. */
export const budgets: Readonly<Record<string, number>> = {
  app: 60,
  landing: 10,
  account: 28,
  setup: 27,
  health: 24,
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
 * keeps with the worker that keeps it, the largest texts of a second language, and what browsers without `Temporal` need. Devices of
 * people who have a form with a pattern keep at most `PATTERNS_BUDGET` more.
 */
export const OFFLINE_BUDGET = 150
export const PATTERNS_BUDGET = 45

type OfflineSize = { kept: number; patterns: number }

/** What the service worker keeps, in kilobytes; not a number where its script names no such files. @param worker its script */
export function offlineSizeOf({ files }: PackIndex, worker: string): OfflineSize {
  const sizeOf = (paths: Iterable<string>) =>
    [...new Set(paths)].reduce((sum, path) => sum + (files[path] ? files[path].end - files[path].start : 0), 0) / 1000
  const named = worker.matchAll(/"(\/web\/[^"]+)"/g).map(([, path = '']) => path)
  const groups = [...worker.matchAll(/(\w+):\[("[\w.-]+\.js"(?:,"[\w.-]+\.js")*)\]/g)].map(
    ([, name = '', list = '']) => [name, sizeOf(list.split(',').map((each) => `/web/${each.slice(1, -1)}`))] as const,
  )
  const languages = groups.filter(([name]) => name.length === 2).map(([, size]) => size)
  const group = (name: string) => new Map(groups).get(name) ?? Number.NaN
  return {
    kept: sizeOf(['/app/sw.js', ...named]) + (languages.length ? Math.max(...languages) : Number.NaN) + group('older'),
    patterns: group('patterns'),
  }
}

/** In words, what the app keeps that is more than it may be; also if the size is unknown. */
export const overOfflineBudget = ({ kept, patterns }: OfflineSize): string[] =>
  [
    { name: 'kept offline', size: kept, most: OFFLINE_BUDGET },
    { name: 'kept for patterns', size: patterns, most: PATTERNS_BUDGET },
  ]
    .filter(({ size, most }) => !(size <= most))
    .map(({ name, size, most }) => `${name} (${size.toFixed(1)} kB, at most ${most})`)
