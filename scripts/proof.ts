/**
 * Proves what `npm test` leaves out: the tests in `*.proof.test.ts`, all of each loop of which `npm test` runs a part (in all files
 * that import `test/proof.ts`), and kills of the executable while it writes. The last lines say how many passed and failed.
 *
 *   bun scripts/proof.ts [a part of the names of files]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dir, '..')
const chosen = process.argv.slice(2)

/** What a file imports if the proof does more with it: those that start Python or R do so there alone. */
const IMPORTS = /from '[./]+\/proof'|\bhasPython\b|\/statistics\.readers'|import \{[^}]*\bpartsOf\b/

const isProved = (path: string) =>
  path.endsWith('.proof.test.ts') || IMPORTS.test(readFileSync(join(root, path), 'utf8'))
const files = [...new Glob('test/**/*.test.ts').scanSync(root)]
  .map((path) => `./${path}`)
  .filter((path) => (chosen.length ? chosen.some((each) => path.includes(each)) : true) && isProved(path))

let [passed, failed] = [0, 0]

/** Runs a program of this project, and shows what it writes. */
async function run(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; text: string }> {
  const options = {
    cwd: root,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  } as const
  const child = Bun.spawn([process.execPath, ...words], options)
  let text = ''
  const show = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const piece of stream) {
      process.stdout.write(piece)
      text += decoder.decode(piece, { stream: true })
    }
  }
  await Promise.all([show(child.stdout), show(child.stderr)])
  return { code: await child.exited, text }
}

/** A step counts as one test. */
async function step(what: string, ...words: string[]): Promise<boolean> {
  console.log(`\n== ${what}`)
  const { code } = await run(words)
  if (code === 0) passed++
  else {
    failed++
    console.log(`FAILED: ${what}`)
  }
  return code === 0
}

const timings = ['--timings=node_modules/.proof-timings.json', '--timings=test/timings.json', '--update-timings']
const parallel = ['--timeout', '180000', '--parallel', '--no-isolate', '--no-orphans', ...timings]
const { code, text } = await run(['test', ...parallel, ...files], { TESTS_PROOF: '1' })
const counted = (word: string) => Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}s?$`, 'gm'))].at(-1)?.[1] ?? 0)
passed += counted('pass')
failed += counted('fail') + counted('error')
// A run that broke off has counted nothing that failed.
if (code !== 0 && failed === 0) failed++

// Each round verifies the whole directory, so several directories take less time than one.
if (!chosen.length && (await step('build', 'scripts/build.ts')))
  for (const directory of ['first', 'second', 'third'])
    await step(`15 kills while it writes, in a ${directory} directory`, 'scripts/kills/kills.ts', '--rounds', '15')

console.log(`\n ${passed} pass\n ${failed} fail`)
process.exitCode = failed ? 1 : 0
