/** Bundles what the pages load: for the build, and from source in memory. The executable does not contain this file. */
import { join, relative, resolve } from 'node:path'
import type { FrontEnd, Offline } from '#web/kit/frontEnd'
import { languages } from '#web/kit/language/translator'
import { frontEnds } from './frontEnds'
import { iconNames, webManifest } from './manifest'
import type { Entry, PackIndex } from './pack'

const web = join(import.meta.dir, '..')
const root = join(web, '../..')

/** The texts of the components and the frame, which every page has. */
const COMMON_TEXTS = 'kit/lang'
/** What the server puts into pages of a restored copy (`copyNotice.ts`). */
const COPY_STYLE = 'serving/copy.css'

type BundledFile = {
  type: string
  bytes: Uint8Array
  isImmutable: boolean
}

/** What Bun tells of a file that it wrote. */
type Output = { imports: { path: string; kind: string }[]; inputs: Record<string, unknown>; entryPoint?: string }

/** The files that Bun wrote, by their addresses; each with the source that it begins with, if it has one. */
type Outputs = ReadonlyMap<string, Output & { source: string }>

export type Bundle = {
  files: ReadonlyMap<string, BundledFile>
  entries: PackIndex['entries']
  assets: PackIndex['assets']
  /** The sources in the scripts of the pages, from the root of the repository. */
  sources: readonly string[]
}

export const digest = (bytes: Uint8Array): string => Bun.hash(bytes).toString(36)

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json; charset=utf-8',
}
const typeOf = (path: string): string => types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

/** What all builds for browsers have in common. */
const browserOptions = {
  target: 'browser',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  throw: true,
} as const

/** Bundles the scripts, styles and pictures of all pages. */
export async function bundlePages(): Promise<Bundle> {
  const styles = [...frontEnds.flatMap((each) => each.styles), COPY_STYLE]
  const scripts = frontEnds.flatMap(({ script }) => script ?? [])
  const texts = [
    ...textFiles(COMMON_TEXTS),
    ...frontEnds.flatMap((each) => each.texts.flatMap((folder) => textFiles(folder, languagesOf(each)))),
  ]
  // Files with a name of their own, by which the service worker knows that a device has them.
  const named = frontEnds.flatMap(({ offline }) => Object.values(offline?.some ?? {}).flat()).filter(isFile)
  const result = await Bun.build({
    ...browserOptions,
    entrypoints: [...new Set([...scripts, ...styles, ...texts, ...named])].map((each) => join(web, each)),
    root: web,
    tsconfig: join(root, 'tsconfig.web.json'),
    format: 'esm',
    splitting: true,
    publicPath: '/web/',
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    metafile: true,
  })
  const files = new Map<string, BundledFile>()
  for (const output of result.outputs) {
    const bytes = new Uint8Array(await output.arrayBuffer())
    const path = `/web/${output.path.replace(/^.*[\\/]/, '')}`
    files.set(path, { type: typeOf(path), bytes, isImmutable: true })
  }
  const { outputs, inputs } = metafileOf(result)
  const assets: Record<string, string> = {}
  for (const [name, source] of Object.entries(copiedFiles())) {
    const bytes = await Bun.file(source).bytes()
    const path = `/web/${name.replace('.', `-${digest(bytes)}.`)}`
    files.set(path, { type: typeOf(path), bytes, isImmutable: true })
    assets[name] = path
  }
  const manifest = '/app/manifest.webmanifest'
  files.set(manifest, { type: typeOf(manifest), bytes: Buffer.from(webManifest(assets)), isImmutable: false })
  for (const [path, output] of outputs)
    if (output.source.endsWith('.css')) assets[output.source.replace(/^.*\//, '')] = path
  const pathOf = pathFinder(outputs)
  for (const { script, styles, texts, offline } of frontEnds) {
    if (!offline || script === undefined) continue
    const first = [script, ...styles].map(pathOf)
    const kept = offlineFiles(first, outputs, groupsOf(offline, texts), [offline.page, assets['icon.svg'] ?? ''])
    const { path } = offline.worker
    files.set(path, { type: typeOf(path), bytes: await bundleWorker(offline, kept), isImmutable: false })
  }
  return { files, entries: entriesOf(outputs), assets, sources: inputs }
}

/** Returns the function that finds the file that a source begins. */
function pathFinder(outputs: Outputs): (source: string) => string {
  const bySource = new Map([...outputs].map(([path, { source }]) => [source, path]))
  return (source) => {
    const path = bySource.get(source)
    if (path === undefined) throw new Error(`The source "${source}" was not bundled.`)
    return path
  }
}

/** What the scripts of the front ends load, by name. */
function entriesOf(outputs: Outputs): PackIndex['entries'] {
  const pathOf = pathFinder(outputs)
  const textsIn = (frontEnd: FrontEnd) =>
    languagesOf(frontEnd).map((language) => [
      language,
      [COMMON_TEXTS, ...frontEnd.texts].map((folder) => pathOf(`${folder}/${language}.ts`)),
    ])
  const entries = frontEnds.flatMap((frontEnd): [string, Entry][] => {
    const { name, script, styles } = frontEnd
    if (script === undefined) return []
    const path = pathOf(script)
    const imports = importsOf(path, outputs)
    return [[name, { script: path, imports, styles: styles.map(pathOf), texts: Object.fromEntries(textsIn(frontEnd)) }]]
  })
  return Object.fromEntries(entries)
}

const isFile = (source: string): boolean => /\.\w+$/.test(source)

/** The languages in which a front end has texts. */
const languagesOf = (frontEnd: FrontEnd): readonly string[] => frontEnd.languages ?? Object.keys(languages)

/** The files of a folder of texts. */
const textFiles = (folder: string, all: readonly string[] = Object.keys(languages)): string[] =>
  all.map((each) => `${folder}/${each}.ts`)

/** Files that need no bundling, by name. */
const copiedFiles = (): Record<string, string> => ({
  'icon.svg': join(web, 'kit/icons/icon.svg'),
  ...Object.fromEntries(iconNames.map((name) => [name, join(web, 'kit/icons', name)])),
  'swagger-ui.js': Bun.resolveSync('swagger-ui-dist/swagger-ui-bundle.js', root),
  'swagger-ui.css': Bun.resolveSync('swagger-ui-dist/swagger-ui.css', root),
})

/** Where a source is: below `src/web`, else from the root of the repository. Bun names it from the current folder. */
function sourceOf(path: string): string {
  const whole = resolve(path)
  const within = relative(web, whole)
  return (within.startsWith('..') ? relative(root, whole) : within).replaceAll('\\', '/')
}

function metafileOf(result: Bun.BuildOutput): { outputs: Outputs; inputs: string[] } {
  const { outputs = {}, inputs = {} } = result.metafile ?? {}
  const named = Object.entries(outputs).map(
    ([path, output]: [string, Output]) =>
      [`/web/${path.replace(/^.*[\\/]/, '')}`, { ...output, source: sourceOf(output.entryPoint ?? '') }] as const,
  )
  return { outputs: new Map(named), inputs: Object.keys(inputs) }
}

/** Every module that a module imports without `import()`, also by way of others. */
function importsOf(path: string, outputs: Outputs): string[] {
  const found = new Set<string>()
  const add = (from: string): void => {
    for (const { path: each, kind } of outputs.get(from)?.imports ?? []) {
      const name = `/web/${each.replace(/^.*[\\/]/, '')}`
      if (kind !== 'import-statement' || found.has(name) || !outputs.has(name)) continue
      found.add(name)
      add(name)
    }
  }
  add(path)
  return [...found]
}

/** Groups of parts that not every device keeps, each with its sources. The service worker keeps them where they are needed. */
type Groups = readonly (readonly [group: string, sources: readonly string[]])[]

/** Those of a front end: what it says, and its texts in each language other than English. */
const groupsOf = ({ some, laterTexts }: Offline, texts: readonly string[]): Groups => [
  ...Object.entries(some),
  ...Object.keys(languages).flatMap(
    (each): Groups =>
      each === 'en' ? [] : [[each, [COMMON_TEXTS, ...texts, ...laterTexts].map((folder) => `${folder}/${each}.ts`)]],
  ),
]

/** Whether a source is one of these: a file, or in a folder or package. */
const isAmong = (source: string, sources: readonly string[]): boolean =>
  sources.some((each) => source === each || source.startsWith(`${each}/`) || source.startsWith(`node_modules/${each}/`))

/** `kept`: by every device. `some`: names of files in `/web/`, by group. */
type OfflineFiles = { kept: readonly string[]; some: Readonly<Record<string, readonly string[]>> }

/** What is needed without a connection: these files, and every module that they may ever load. @param more paths that are no outputs */
function offlineFiles(
  first: readonly string[],
  outputs: Outputs,
  groups: Groups,
  [page, ...more]: readonly [string, ...string[]],
): OfflineFiles {
  const kept = new Set<string>()
  const some = new Map(groups.map(([group]) => [group, new Set<string>()]))
  const add = (path: string, into?: Set<string>): void => {
    const output = outputs.get(path)
    if (!output || kept.has(path) || into?.has(path)) return
    const [group] = groups.find(([, sources]) => isAmong(output.source, sources)) ?? []
    const found = (group !== undefined ? some.get(group) : undefined) ?? into ?? kept
    if (found.has(path)) return
    found.add(path)
    for (const { path: each } of output.imports)
      add(`/web/${each.replace(/^.*[\\/]/, '')}`, found === kept ? undefined : found)
  }
  for (const path of first) add(path)
  const names = (found: Set<string>) =>
    [...found]
      .filter((path) => !kept.has(path))
      .map((path) => path.replace('/web/', ''))
      .sort()
  return {
    kept: [page, ...[...kept, ...more].sort()],
    some: Object.fromEntries([...some].map(([group, found]) => [group, names(found)])),
  }
}

/**
 * The service worker is one file with a name that never changes: the browser compares its bytes. They hold the names of the files
 * that it keeps, which change with their content.
 */
async function bundleWorker({ worker }: Offline, { kept, some }: OfflineFiles): Promise<Uint8Array> {
  const bundled = worker.parts.map(async (entry) => {
    const { outputs } = await Bun.build({
      ...browserOptions,
      define: {
        ...browserOptions.define,
        KEPT_FILES: JSON.stringify(kept),
        SOME_FILES: JSON.stringify(some),
        VERSION: JSON.stringify(digest(Buffer.from(kept.join()))),
      },
      entrypoints: [join(web, entry)],
      tsconfig: join(root, 'tsconfig.web.json'),
      external: [...worker.without],
      format: 'iife',
    })
    const [output] = outputs
    if (!output) throw new Error('The service worker was not bundled.')
    return output.text()
  })
  return Buffer.from((await Promise.all(bundled)).join(''))
}
