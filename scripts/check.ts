/**
 * Checks what was changed since a commit, in half a minute: lint, types, and the tests that are nearest to it by imports.
 * `npm test` runs the others.
 *
 *   bun scripts/check.ts [base]     base: a commit; by default the last one that this branch shares with main
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'

/** Milliseconds that the chosen tests may take together, on all cores. */
const BUDGET = 50_000
/** Of a test that was never measured. */
const USUAL = 500

const root = join(import.meta.dir, '..')

function git(...words: string[]): string[] | undefined {
  const { exitCode, stdout } = Bun.spawnSync(['git', ...words], { cwd: root, stderr: 'ignore' })
  return exitCode === 0 ? `${stdout}`.split('\n').filter(Boolean) : undefined
}

const base = process.argv[2] ?? git('merge-base', 'main', 'HEAD')?.[0] ?? 'HEAD'
const known = git('diff', '--name-only', '--diff-filter=d', base)
if (!known) {
  console.error(`Git knows no commit ${base}.`)
  process.exit(2)
}
const changed = [...known, ...(git('ls-files', '--others', '--exclude-standard') ?? [])]

/** The file that an import names; undefined if it is a package. */
function resolved(specifier: string, from: string): string | undefined {
  const path = specifier.startsWith('#')
    ? `src/${specifier.slice(1)}`
    : specifier.startsWith('.')
      ? relative(root, join(root, dirname(from), specifier))
      : undefined
  return path && ['', '.ts', '.tsx'].map((end) => path + end).find((each) => sources.has(each))
}

const sources = new Set(new Glob('{src,test,scripts}/**/*.{ts,tsx,json}').scanSync(root))
const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

/** Who imports each file. Imports of types are left out: the type-check answers for those. */
const importers = new Map<string, string[]>()
for (const file of sources) {
  if (file.endsWith('.json')) continue
  const transpiler = transpilers[file.endsWith('x') ? 'tsx' : 'ts']
  for (const { path } of transpiler.scanImports(readFileSync(join(root, file)))) {
    const target = resolved(path, file)
    if (target) importers.set(target, [...(importers.get(target) ?? []), file])
  }
}

/** Through these every test imports every operation: what is above them says nothing. */
const joinsAll = (file: string) =>
  /^src\/(start|wings)\/|^src\/server\/service|^test\/(harness|study|everything)\.ts/.test(file)
const isTest = (file: string) => file.endsWith('.test.ts')

/** How many imports each test is from a changed file. Tests in the folder of its noun, which use it over HTTP, are one away. */
function distances(): Map<string, number> {
  const far = new Map<string, number>(changed.map((file) => [file, 0]))
  for (const file of changed.filter((each) => each.startsWith('src/'))) {
    const folder = `test${dirname(file).slice('src'.length)}/`
    for (const test of sources) if (isTest(test) && test.startsWith(folder) && !far.has(test)) far.set(test, 1)
  }
  for (const [file, distance] of far) {
    if (joinsAll(file) && distance > 0) continue
    for (const above of importers.get(file) ?? []) if (!far.has(above)) far.set(above, distance + 1)
  }
  return far
}

const timesIn = (path: string): Record<string, number> =>
  existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), 'utf8')).files : {}
const times = { ...timesIn('test/timings.json'), ...timesIn('node_modules/.test-timings.json') }
const timeOf = (test: string) => times[test] ?? USUAL

const far = [...distances()].filter(([file, distance]) => isTest(file) && (distance === 0 || !file.includes('.proof.')))
far.sort(([one, a], [other, b]) => a - b || timeOf(one) - timeOf(other))
let rest = BUDGET
const chosen = far.filter(([test]) => {
  const isIn = rest >= timeOf(test)
  if (isIn) rest -= timeOf(test)
  return isIn
})
if (changed.some((file) => file.startsWith('src/'))) chosen.push(['test/layers.test.ts', 1])
const tests = [...new Set(chosen.map(([test]) => `./${test}`))]

async function run(what: string, ...words: string[]): Promise<boolean> {
  const started = performance.now()
  const child = Bun.spawn(words, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const isGood = (await child.exited) === 0
  if (!isGood) console.log(out + err)
  console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${what}  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return isGood
}

const bin = (name: string) => join(root, 'node_modules/.bin', name)
const types = (project: string) =>
  run(
    `types of ${project}`,
    ...[bin('tsc'), '--noEmit', '-p', project],
    ...['--incremental', '--tsBuildInfoFile', `node_modules/.types/${project}buildinfo`],
  )
const lintable = changed.filter((file) => /\.(tsx?|css|json)$/.test(file))
const isWeb = changed.some((file) => file.startsWith('src/'))
console.log(
  `${changed.length} files changed since ${base.slice(0, 8)}; ${tests.length} of the ${far.length} test files that import them`,
)
const results = await Promise.all([
  ...(lintable.length ? [run('lint', bin('biome'), 'check', '--no-errors-on-unmatched', ...lintable)] : []),
  ...(changed.some((file) => /\.tsx?$/.test(file)) ? [types('tsconfig.json')] : []),
  ...(isWeb ? [types('tsconfig.worker.json')] : []),
  ...(tests.length
    ? [
        run(
          'tests',
          process.execPath,
          'test',
          '--timeout',
          '180000',
          '--parallel',
          '--no-isolate',
          '--only-failures',
          ...tests,
        ),
      ]
    : []),
])
process.exitCode = results.every(Boolean) ? 0 : 1
