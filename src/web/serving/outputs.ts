/** The sources of the pages, and the files that Bun writes of them. */
import { join, relative, resolve } from 'node:path'

/** `src/web`, and the root of the repository. */
export const web = join(import.meta.dir, '..')
export const root = join(web, '../..')

/** The texts of the components and the frame, which every page has. */
const COMMON_TEXTS = 'kit/lang'

/** The files in these languages of these folders of texts, and of the texts that every page has. */
export const filesOfTexts = (folders: readonly string[], ...languages: readonly string[]): string[] =>
  [COMMON_TEXTS, ...folders].flatMap((folder) => languages.map((language) => `${folder}/${language}.ts`))

/** What Bun tells of a file that it wrote. */
type Output = { imports: { path: string; kind: string }[]; inputs: Record<string, unknown>; entryPoint?: string }

/** The files that Bun wrote, by their addresses; each with the source that it begins with, if it has one. */
export type Outputs = ReadonlyMap<string, Output & { source: string }>

/** The address of a file that Bun wrote. */
export const addressOf = (path: string): string => `/web/${path.replace(/^.*[\\/]/, '')}`

/** Where a source is: below `src/web`, else from the root of the repository. Bun names it from the current folder. */
function sourceOf(path: string): string {
  const whole = resolve(path)
  const within = relative(web, whole)
  return (within.startsWith('..') ? relative(root, whole) : within).replaceAll('\\', '/')
}

export const outputsOf = (metafile: Bun.BuildMetafile | undefined): Outputs =>
  new Map(
    Object.entries(metafile?.outputs ?? {}).map(([path, output]: [string, Output]) => [
      addressOf(path),
      { ...output, source: sourceOf(output.entryPoint ?? '') },
    ]),
  )

/** Returns the function that finds the file that a source begins. */
export function pathFinder(outputs: Outputs): (source: string) => string {
  const bySource = new Map([...outputs].map(([path, { source }]) => [source, path]))
  return (source) => {
    const path = bySource.get(source)
    if (path === undefined) throw new Error(`The source "${source}" was not bundled.`)
    return path
  }
}

/** Every module that a module imports without `import()`, also by way of others. */
export function importsOf(path: string, outputs: Outputs): string[] {
  const found = new Set<string>()
  const add = (from: string): void => {
    for (const { path: each, kind } of outputs.get(from)?.imports ?? []) {
      const name = addressOf(each)
      if (kind !== 'import-statement' || found.has(name) || !outputs.has(name)) continue
      found.add(name)
      add(name)
    }
  }
  add(path)
  return [...found]
}
