/** Bundles what the pages load: for the build, and from source in memory. The executable does not contain this file. */
import { join } from 'node:path'
import type { FrontEnd, Offline } from '#web/kit/frontEnd'
import { builtIn } from '#web/kit/language/languages'
import { digest } from './digest'
import { frontEnds } from './frontEnds'
import { iconNames, webManifest } from './manifest'
import { typeOf } from './mediaTypes'
import { groupsOf, type OfflineFiles, offlineFiles } from './offlineFiles'
import { addressOf, filesOfTexts, importsOf, type Outputs, outputsOf, pathFinder, root, web } from './outputs'
import type { Entry, PackIndex } from './pack'
import { refusalFiles } from './refusalFiles'

/** What the server puts into pages of a restored copy (`copyNotice.ts`). */
const COPY_STYLE = 'serving/copy.css'

type BundledFile = {
  type: string
  bytes: Uint8Array
  isImmutable: boolean
}
/** Files by their addresses. */
type Files = readonly (readonly [path: string, file: BundledFile])[]
type Assets = PackIndex['assets']

export type Bundle = {
  files: ReadonlyMap<string, BundledFile>
  entries: PackIndex['entries']
  assets: Assets
  /** The sources in the scripts of the pages, from the root of the repository. */
  sources: readonly string[]
}

const fileOf = (path: string, bytes: Uint8Array, isImmutable: boolean): Files[number] => [
  path,
  { type: typeOf(path), bytes, isImmutable },
]

/** What all builds for browsers have in common. */
const browserOptions = {
  target: 'browser',
  minify: true,
  define: { 'process.env.NODE_ENV': '"production"', REFUSAL_FILES: JSON.stringify(refusalFiles.names) },
  tsconfig: join(root, 'tsconfig.json'),
  throw: true,
} as const

/** Bundles the scripts, styles and pictures of all pages. */
export async function bundlePages(): Promise<Bundle> {
  const { metafile, outputs: written } = await buildPages()
  const outputs = outputsOf(metafile)
  const built = written.map(async (file) =>
    fileOf(addressOf(file.path), new Uint8Array(await file.arrayBuffer()), true),
  )
  const refusals = refusalFiles.contents.map(([name, bytes]) => fileOf(`/web/${name}`, bytes, true))
  const copied = await Promise.all(Object.entries(copiedFiles()).map(copyFile))
  const assets: Assets = Object.fromEntries([...copied.map(([name, [path]]) => [name, path]), ...stylesOf(outputs)])
  const manifest = fileOf('/app/manifest.webmanifest', Buffer.from(webManifest(assets)), false)
  const workers = await Promise.all(frontEnds.map((each) => workerOf(each, outputs, assets)))
  return {
    files: new Map([
      ...(await Promise.all(built)),
      ...refusals,
      ...copied.map(([, file]) => file),
      manifest,
      ...workers.flat(),
    ]),
    entries: entriesOf(outputs),
    assets,
    sources: Object.keys(metafile?.inputs ?? {}),
  }
}

function buildPages(): Promise<Bun.BuildOutput> {
  const styles = [...frontEnds.flatMap((each) => each.styles), COPY_STYLE]
  const scripts = frontEnds.flatMap(({ script }) => script ?? [])
  const texts = frontEnds.flatMap((each) => filesOfTexts(each.texts, ...languagesOf(each)))
  // Files with a name of their own, by which the service worker knows that a device has them.
  const named = frontEnds.flatMap(({ offline }) => Object.values(offline?.some ?? {}).flat()).filter(isFile)
  return Bun.build({
    ...browserOptions,
    entrypoints: [...new Set([...scripts, ...styles, ...texts, ...named])].map((each) => join(web, each)),
    root: web,
    format: 'esm',
    splitting: true,
    publicPath: '/web/',
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    metafile: true,
  })
}

const isFile = (source: string): boolean => /\.\w+$/.test(source)

/** The languages in which a front end has texts. */
const languagesOf = (frontEnd: FrontEnd): readonly string[] => frontEnd.languages ?? Object.keys(builtIn)

/** Files that need no bundling, by name. */
const copiedFiles = (): Record<string, string> => ({
  'icon.svg': join(web, 'kit/icons/icon.svg'),
  ...Object.fromEntries(iconNames.map((name) => [name, join(web, 'kit/icons', name)])),
  'swagger-ui.js': Bun.resolveSync('swagger-ui-dist/swagger-ui-bundle.js', root),
  'swagger-ui.css': Bun.resolveSync('swagger-ui-dist/swagger-ui.css', root),
})

async function copyFile([name, source]: [string, string]): Promise<[name: string, file: Files[number]]> {
  const bytes = await Bun.file(source).bytes()
  return [name, fileOf(`/web/${name.replace('.', `-${digest(bytes)}.`)}`, bytes, true)]
}

/** The styles by their names without a digest. */
const stylesOf = (outputs: Outputs) =>
  [...outputs].flatMap(([path, { source }]) =>
    source.endsWith('.css') ? [[source.replace(/^.*\//, ''), path] as const] : [],
  )

/** What the scripts of the front ends load, by name. */
function entriesOf(outputs: Outputs): PackIndex['entries'] {
  const pathOf = pathFinder(outputs)
  const entries = frontEnds.flatMap((frontEnd): [string, Entry][] => {
    const { name, script, styles, texts, areas = {} } = frontEnd
    if (script === undefined) return []
    const loaded = (source: string) => ({ script: pathOf(source), imports: importsOf(pathOf(source), outputs) })
    const byLanguage = languagesOf(frontEnd).map((each) => [each, filesOfTexts(texts, each).map(pathOf)])
    const entry = {
      ...loaded(script),
      styles: styles.map(pathOf),
      texts: Object.fromEntries(byLanguage),
    }
    const parts = Object.keys(areas).map((each): [string, Entry] => [each, { ...loaded(each), styles: [], texts: {} }])
    return [[name, entry], ...parts]
  })
  return Object.fromEntries(entries)
}

/** The service worker of a front end, if it has one. */
async function workerOf(
  { script, styles, texts, offline }: FrontEnd,
  outputs: Outputs,
  assets: Assets,
): Promise<Files> {
  if (!offline || script === undefined) return []
  const first = [script, ...styles].map(pathFinder(outputs))
  const kept = offlineFiles(first, outputs, groupsOf(offline, texts), [offline.page, assets['icon.svg'] ?? ''])
  return [fileOf(offline.worker.path, await bundleWorker(offline, kept), false)]
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
      external: [...worker.without],
      format: 'iife',
    })
    const [output] = outputs
    if (!output) throw new Error('The service worker was not bundled.')
    return output.text()
  })
  return Buffer.from((await Promise.all(bundled)).join(''))
}
