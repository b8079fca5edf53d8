/** Bundles what the pages load: for the build, and from source in memory. The executable does not contain this file. */
import { join } from 'node:path'
import { languages } from '#web/kit/language/translator'
import { iconNames, webManifest } from './manifest'
import type { Entry, PackIndex } from './pack'

const web = join(import.meta.dir, '..')
const root = join(web, '../..')

const SCRIPTS = [
  ...['landing.ts', 'account/account.tsx', 'account/setup.tsx', 'health.tsx', 'gallery.tsx', 'docs.ts'].map(
    (each) => `site/${each}`,
  ),
  'participant/app.tsx',
  'links/links.tsx',
]
const STYLES = [
  ...['style.css', 'manual.css', 'docs.css', 'trust.css', 'copy.css'].map((each) => `site/${each}`),
  'participant/app.css',
  'links/links.css',
  'links/consent/consent.css',
]
/** Scripts whose texts are not those of their folder: where these are, below a folder `lang`. */
const TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  ['account', 'setup', 'gallery'].map((name) => [name, 'site/lang/account']),
)

type BundledFile = {
  type: string
  bytes: Uint8Array
  isImmutable: boolean
}

/** A part with a name of its own, by which the service worker knows that a device has it. */
const PATTERNS = 'form/engine/patterns.ts'

/** What Bun tells of a file that it wrote. */
type Output = { imports: { path: string; kind: string }[]; inputs: Record<string, unknown>; entryPoint?: string }

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
  const texts = ['kit', 'site', 'participant', 'links', 'links/consent'].flatMap((group) =>
    Object.keys(languages).map((each) => `${group}/lang/${each}.ts`),
  )
  const result = await Bun.build({
    ...browserOptions,
    entrypoints: [...SCRIPTS, ...STYLES, ...texts, PATTERNS].map((each) => join(web, each)),
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
  const entries: Record<string, Entry> = {}
  for (const [path, output] of outputs) {
    const source = /([\w-]+)\/([\w-]+)\.(\w+)$/.exec(output.entryPoint ?? '')
    if (!source) continue
    const [, group = '', name = '', kind] = source
    if (kind === 'css') assets[`${name}.css`] = path
    // Parts that a page loads later have a name of their own, too.
    else if (SCRIPTS.some((each) => output.entryPoint?.endsWith(`/${each}`)))
      entries[name] = { script: path, imports: importsOf(path, outputs), texts: textsOf(TEXTS[name] ?? group, outputs) }
  }
  const offline = offlineFiles(outputs, assets)
  const worker = await bundleWorker(offline)
  files.set('/app/sw.js', { type: typeOf('sw.js'), bytes: worker, isImmutable: false })
  return { files, entries, assets, sources: inputs }
}

/** Files that need no bundling, by name. */
const copiedFiles = (): Record<string, string> => ({
  'icon.svg': join(web, 'kit/icons/icon.svg'),
  ...Object.fromEntries(iconNames.map((name) => [name, join(web, 'kit/icons', name)])),
  'swagger-ui.js': Bun.resolveSync('swagger-ui-dist/swagger-ui-bundle.js', root),
  'swagger-ui.css': Bun.resolveSync('swagger-ui-dist/swagger-ui.css', root),
})

function metafileOf(result: Bun.BuildOutput): { outputs: Map<string, Output>; inputs: string[] } {
  const { outputs = {}, inputs = {} } = result.metafile ?? {}
  const named = Object.entries(outputs).map(
    ([path, output]) => [`/web/${path.replace(/^.*[\\/]/, '')}`, output] as const,
  )
  return { outputs: new Map(named), inputs: Object.keys(inputs) }
}

/** Every module that a module imports without `import()`, also by way of others. */
function importsOf(path: string, outputs: ReadonlyMap<string, Output>): string[] {
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

/** The modules with the texts of a group of pages and those of all pages, by language. @param group its folder, or that of its texts */
const textsOf = (group: string, outputs: ReadonlyMap<string, Output>): Entry['texts'] =>
  Object.fromEntries(
    Object.keys(languages).map((language) => {
      const folders = ['kit/lang', group.includes('/') ? group : `${group}/lang`]
      const sources = folders.map((each) => `/${each}/${language}.ts`)
      const isText = ([, { entryPoint = '' }]: [string, Output]) => sources.some((each) => entryPoint.endsWith(each))
      return [language, [...outputs].filter(isText).map(([path]) => path)]
    }),
  )

/** Parts that not every device keeps, by what their entry point is. The service worker keeps them where they are needed. */
const SOME: readonly [group: string, entryPoint: RegExp][] = [
  // Of shared tablets, where texts of all languages are needed.
  ['tablet', /\/participant\/(tablet|device\/shared)\//],
  // Of browsers without `Temporal`.
  ['older', /\/temporal-polyfill\//],
  // Of people who have a form with a pattern.
  ['patterns', /\/engine\/patterns\.ts$/],
  // Texts in another language than English.
  ...Object.keys(languages).flatMap((each): [string, RegExp][] =>
    each === 'en' ? [] : [[each, new RegExp(`/(lang|problemTexts|frame|home|pages)/${each}\\.ts$`)]],
  ),
]

/** `kept`: by every device. `some`: names of files in `/web/`, by group. */
type OfflineFiles = { kept: readonly string[]; some: Readonly<Record<string, readonly string[]>> }

/** What the app needs without a connection: its page, style and pictures, and every module that it may ever load. */
function offlineFiles(outputs: ReadonlyMap<string, Output>, assets: Readonly<Record<string, string>>): OfflineFiles {
  const kept = new Set<string>()
  const some = new Map(SOME.map(([group]) => [group, new Set<string>()]))
  const add = (path: string, into?: Set<string>): void => {
    const output = outputs.get(path)
    if (!output || kept.has(path) || into?.has(path)) return
    const [group] = SOME.find(([, entryPoint]) => entryPoint.test(output.entryPoint ?? '')) ?? []
    const found = (group !== undefined ? some.get(group) : undefined) ?? into ?? kept
    if (found.has(path)) return
    found.add(path)
    for (const { path: each } of output.imports)
      add(`/web/${each.replace(/^.*[\\/]/, '')}`, found === kept ? undefined : found)
  }
  for (const [path, { entryPoint = '' }] of outputs) if (entryPoint.endsWith('/participant/app.tsx')) add(path)
  const others = ['app.css', 'icon.svg'].flatMap((name) => assets[name] ?? [])
  const names = (found: Set<string>) =>
    [...found]
      .filter((path) => !kept.has(path))
      .map((path) => path.replace('/web/', ''))
      .sort()
  return {
    kept: ['/app/', ...[...kept, ...others].sort()],
    some: Object.fromEntries([...some].map(([group, found]) => [group, names(found)])),
  }
}

/**
 * The service worker is one file with a name that never changes: the browser compares its bytes. They hold the names of the files
 * that it keeps, which change with their content. What sends entries is the code of the app, in the same file.
 */
async function bundleWorker({ kept, some }: OfflineFiles): Promise<Uint8Array> {
  const bundled = ['worker/worker.ts', 'participant/device/background.ts'].map(async (entry) => {
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
      // The database of shared tablets, where the worker sends nothing.
      external: ['#web/participant/device/shared/*'],
      format: 'iife',
    })
    const [output] = outputs
    if (!output) throw new Error('The service worker was not bundled.')
    return output.text()
  })
  return Buffer.from((await Promise.all(bundled)).join(''))
}
