/**
 * Runs a small but complete study: starts the executable as a test server, sends the study over HTTP during eight weeks of
 * its test clock, and compares the results (timelines, messages, tasks, exports, the locked dataset) with what was sent and
 * planned. At the end it runs `trialbox verify`. The exit code is 1 at the first difference.
 *
 *   bun scripts/walkthrough.ts [--from-source] [--participants 200] [--weeks 8] [--seed 1]
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Mail } from '#cli/walkthrough/messages'
import { clockBody, nextMidnight, runStudy } from '#cli/walkthrough/study'
import { DAY, systemClock } from '#kernel/time'

const root = join(import.meta.dir, '..')
const executable = join(root, 'dist', process.platform === 'win32' ? 'trialbox.exe' : 'trialbox')

const { values } = parseArgs({
  options: {
    'from-source': { type: 'boolean', default: false },
    participants: { type: 'string', default: '200' },
    weeks: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
  },
})
const number = (name: 'participants' | 'weeks' | 'seed', least: number): number => {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least) return value
  console.error(`--${name} must be a whole number of at least ${least}.`)
  process.exit(2)
}
const size = { participants: number('participants', 6), weeks: number('weeks', 2), seed: number('seed', 0) }

type ServerInfo = { url: string; apiKey: string; team: string; email: string; password: string }

const isBuilt = !values['from-source'] && existsSync(executable)
const program = isBuilt ? [executable] : [process.execPath, join(root, 'src/start/main.ts')]

/** The folder for temporary files of the server, where its data directory can be found. */
const folder = mkdtempSync(join(tmpdir(), 'trialbox-walkthrough-'))

/** Starts the server. Resolves when it accepts requests, with the URL and the account that it prints. */
async function start() {
  console.log(`${isBuilt ? 'the executable' : 'the source'} as a test server, ${size.participants} participants`)
  const server = Bun.spawn([...program, 'serve', '--test', '--port', '0'], {
    stdout: 'pipe',
    stderr: 'ignore',
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  })
  let text = ''
  for await (const piece of server.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('\n')) break
  }
  if (!text.includes('\n')) throw new Error('The server ended before it was ready.')
  return { server, announced: JSON.parse(text) as ServerInfo }
}

/** Runs `trialbox verify` on the directory while the server runs. Returns its output in lines. @throws if it finds a fault */
function verify(...more: string[]): string[] {
  const [data] = readdirSync(folder).filter((name) => name.startsWith('trialbox-test-'))
  const { exitCode, stdout, stderr } = Bun.spawnSync([...program, 'verify', '--data', join(folder, data!), ...more])
  if (exitCode !== 0) throw new Error(`trialbox verify: ${stdout}${stderr}`)
  return stdout.toString().trimEnd().split('\n')
}

const started = performance.now()
const log = (line: string) => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`)
const { server, announced } = await start()
try {
  const { url } = announced
  log(`listening at ${url}`)
  const start = nextMidnight(systemClock.now())
  const heads = join(folder, 'heads.txt')
  const moveTo = async (at: number) => {
    // Halfway, the last hash of each audit chain is saved: the chains must still contain it at the end.
    if (at > start + size.weeks * 3.5 * DAY && !existsSync(heads)) writeFileSync(heads, verify('--heads').join('\n'))
    const answer = await fetch(`${url}/test/clock`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(clockBody(at)),
    })
    if (!answer.ok) throw new Error(`The clock cannot be moved: ${await answer.text()}`)
  }
  const outbox = async () => ((await (await fetch(`${url}/test/outbox`)).json()) as { messages: Mail[] }).messages
  const begun = performance.now()
  const { counts } = await runStudy({ ...announced, start, moveTo, outbox }, size, log)
  log(`trialbox verify: ${verify('--against', heads).length} kinds of things, all whole`)
  const seconds = (performance.now() - begun) / 1000
  const { byParticipants, byStaff } = counts
  console.log(`
  participants    ${counts.participants}
  responses       ${counts.responses}, by ${byParticipants} submissions of participants and ${byStaff} of staff
  refused         ${counts.refusals}, each of which should be
  corrections     ${counts.corrections}
  messages        ${counts.messages} to participants; ${counts.tasks} tasks and ${counts.queries} queries for staff
  signatures      ${counts.signatures}
  comparisons     ${counts.comparisons}, all equal
  time            ${seconds.toFixed(1)} s, ${((byParticipants! + byStaff!) / seconds).toFixed(0)} submissions a second with all that is around them
`)
} catch (error) {
  log(`FAILED  ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  server.kill()
  await server.exited
  rmSync(folder, { recursive: true, force: true })
}
