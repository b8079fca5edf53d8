/** How large a page may be when it is opened for the first time. The build fails if one is larger. */
import { frontEnds } from './frontEnds'
import type { PackIndex } from './pack'

/** What a page of a front end loads: its styles and modules, and the largest texts of one language. */
export function firstLoad({ files, entries, assets }: PackIndex, name: string): number {
  const sizeOf = (paths: readonly (string | undefined)[]) =>
    paths.reduce((sum, path) => {
      const file = path === undefined ? undefined : files[path]
      return file ? sum + file.end - file.start : sum
    }, 0)
  const { script, imports = [], styles = [], texts = {} } = entries[name] ?? {}
  return sizeOf([script, ...imports, ...styles, assets['icon.svg']]) + Math.max(...Object.values(texts).map(sizeOf))
}

/** What an area adds to what its front end has loaded, in bytes. */
export function areaSize({ files, entries }: PackIndex, frontEnd: string, area: string): number {
  const known = new Set([entries[frontEnd]?.script, ...(entries[frontEnd]?.imports ?? [])])
  const { script, imports = [] } = entries[area] ?? {}
  return [script, ...imports].reduce((sum, path) => {
    const file = path === undefined || known.has(path) ? undefined : files[path]
    return file ? sum + file.end - file.start : sum
  }, 0)
}

/** Which pages and areas are larger than they may be, in words. @param measured those with a budget, unless others are given */
export const overBudget = (index: PackIndex, measured = frontEnds): string[] =>
  measured
    .flatMap(({ name, budget, areas = {} }) => [
      { name, budget, size: firstLoad(index, name) / 1000 },
      ...Object.entries(areas).map(([area, most]) => ({
        name: area,
        budget: most,
        size: areaSize(index, name, area) / 1000,
      })),
    ])
    .flatMap(({ name, budget, size }) =>
      budget === undefined || size <= budget ? [] : [`${name} (${size.toFixed(1)} kB, at most ${budget})`],
    )

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

/** In words, what a front end keeps that is more than it may be; also if the size is unknown. */
export const overOfflineBudget = ({ kept, patterns }: OfflineSize): string[] =>
  frontEnds
    .flatMap(({ offline }) => offline ?? [])
    .flatMap(({ budget, budgets }) => [
      { name: 'kept offline', size: kept, most: budget },
      ...Object.entries(budgets).map(([group, most]) => ({ name: `kept for ${group}`, size: patterns, most })),
    ])
    .filter(({ size, most }) => !(size <= most))
    .map(({ name, size, most }) => `${name} (${size.toFixed(1)} kB, at most ${most})`)
