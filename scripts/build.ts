/** Builds the executable: `bun scripts/build.ts [--target linux-x64|…|all] [--runtime <file>] [--out <folder>]`. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { newestDigest } from '#db/schemaVersion'
import { commitOf } from '#kernel/version'
import { version } from '../package.json'
import { embeddedTable } from './operationTable'
import { embeddedPages } from './web'

const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'] as const
type Target = (typeof TARGETS)[number]

const root = join(import.meta.dir, '..')
const isTarget = (text: string): text is Target => TARGETS.includes(text as Target)

/**
 * @param target the platform it is for; undefined for this machine
 * @param runtime a Bun of this version for that platform, for machines that cannot download one
 * @param files read in the place of those in the source
 */
async function build(
  target: Target | undefined,
  runtime: string | undefined,
  folder: string,
  files: Awaited<ReturnType<typeof embeddedPages>>,
): Promise<void> {
  // Threads have entry points of their own: the program starts them by their paths beside the first one.
  const entrypoints = ['src/start/main.ts', 'src/start/worker.ts', 'src/start/checkpointer.ts'].map((path) =>
    join(root, path),
  )
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, target ? `trialbox-${target}` : 'trialbox')
  const result = await Bun.build({
    entrypoints,
    // Entry points are at the root of the executable, beside the parts that start them.
    root: join(root, 'src/start'),
    files: { ...files, ...embeddedTable() },
    target: 'bun',
    format: 'esm',
    bytecode: true, // halves the time to the first answer
    // Modules that are imported on demand, and the modules of Bun that they import, stay out of memory until then.
    splitting: true,
    // Identifiers must stay: Elysia reads the source text of functions, and would lose numeric bounds without an error.
    minify: { whitespace: true, syntax: true, identifiers: false },
    define: {
      'process.env.NODE_ENV': '"production"',
      TRIALBOX_COMMIT: JSON.stringify(commitOf(root) ?? 'dev'),
      TRIALBOX_TABLES_DIGEST: JSON.stringify(newestDigest()),
    },
    compile: {
      outfile,
      // Files in the current folder must not change what the program does.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target ? { target: `bun-${target}` as Bun.Build.CompileTarget } : {}),
      ...(runtime ? { executablePath: runtime } : {}),
      ...(target === 'windows-x64' ? { windows: { title: 'Trialbox', version: `${version}.0` } } : {}),
    },
  })
  for (const log of result.logs) console.error(String(log))
  const path = existsSync(outfile) && target !== 'windows-x64' ? outfile : `${outfile}.exe`
  console.log(`${relative('.', path)}  ${(statSync(path).size / 1024 ** 2).toFixed(0)} MB`)
}

const { values } = parseArgs({
  options: { target: { type: 'string' }, runtime: { type: 'string' }, out: { type: 'string' } },
})
const targets = values.target === 'all' ? TARGETS : [values.target]
const folder = resolve(values.out ?? join(root, 'dist'))
let pages: Awaited<ReturnType<typeof embeddedPages>> | undefined
for (const target of targets) {
  if (target !== undefined && !isTarget(target)) {
    console.error(`There is no target "${target}": choose ${TARGETS.join(', ')} or all.`)
    process.exit(1)
  }
  pages ??= await embeddedPages()
  await build(target, values.runtime, folder, pages)
}
