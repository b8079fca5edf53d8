/** `serve --test` as a process: whom it ends with, what it leaves, what it accepts. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { removeTestDirectories } from '#server/testing/removal'
import { afterFile } from '../../afterFile'
import { ask, fromSource, runProgram, startServer, testServerLine } from '../../program'
import { until } from '../../until'
import { freshFolder, root } from '../process/folder'

const SERVE = [...fromSource.command, 'serve', '--test', '--port', '0']

/** The data directory that a server has open, on systems that show it. */
function dataOf(pid: number): string {
  const folder = `/proc/${pid}/fd`
  const paths = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(join(folder, fd))
    } catch {
      return '' // closed in the meantime
    }
  })
  return dirname(paths.find((path) => path.endsWith('/trialbox.db'))!)
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function isEnded(pid: number, milliseconds = 60_000): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await Bun.sleep(50)) if (!isRunning(pid)) return true
  return false
}

/** Waits for the line of a server whose stdout a file receives. */
async function announcedIn(path: string) {
  for (;;) {
    const found = existsSync(path) && testServerLine(readFileSync(path, 'utf8'))
    if (found) return found
    await Bun.sleep(20)
  }
}

/** A server that a shell starts in the background, with its process id in a file. */
async function startInShell(script: (serve: string, pid: string) => string) {
  const folder = freshFolder()
  const [out, pidFile] = [join(folder, 'out'), join(folder, 'pid')]
  const serve = (flags = '') => `${SERVE.join(' ')} ${flags} > ${out} 2> /dev/null`
  const command = ['bash', '-c', script(serve(), `echo $! > ${pidFile}`)]
  // Under `bun test --no-orphans` a program of Bun ends with its parent by itself, which is not what is tested here.
  const env = { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: undefined }
  const shell = Bun.spawn(command, { cwd: root, stdin: 'ignore', env })
  afterFile(() => shell.kill('SIGKILL'))
  await announcedIn(out)
  const pid = Number(readFileSync(pidFile, 'utf8'))
  afterFile(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
  return { shell, pid }
}

const onLinux = test.skipIf(!existsSync('/proc/self/fd'))

onLinux(
  'it ends when the program that holds the pipe on its stdin ends, and leaves nothing behind',
  async () => {
    const child = Bun.spawn(SERVE, { cwd: root, stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
    afterFile(() => child.kill('SIGKILL'))
    for await (const chunk of child.stdout) if (testServerLine(new TextDecoder().decode(chunk))) break
    const data = dataOf(child.pid)
    child.stdin.write('what is written there does not matter\n')
    await child.stdin.flush()
    expect(await isEnded(child.pid, 700)).toBe(false)
    await child.stdin.end()
    expect(await child.exited).toBe(0)
    expect(existsSync(data)).toBe(false)
  },
  180_000,
)

onLinux(
  'it ends when it gets another parent',
  async () => {
    const { shell, pid } = await startInShell((serve, keep) => `${serve} & ${keep}; wait`)
    shell.kill('SIGKILL')
    expect(await isEnded(pid)).toBe(true)
  },
  180_000,
)

onLinux.each([
  ['ends if the shell that started it ended before its first line', '', true],
  ['goes on then if it is detached', '--detached', false],
])(
  'it %s',
  async (_, flag, ends) => {
    const folder = freshFolder()
    const [pidFile, out] = [join(folder, 'pid'), join(folder, 'out')]
    const env = { ...process.env, TMPDIR: folder, BUN_FEATURE_FLAG_NO_ORPHANS: undefined }
    const serve = `${SERVE.join(' ')} ${flag} < /dev/null > ${out} 2> /dev/null`
    Bun.spawnSync(['bash', '-c', `${serve} & echo $! > ${pidFile}`], { cwd: root, env })
    const pid = Number(readFileSync(pidFile, 'utf8'))
    afterFile(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
    if (!ends) await announcedIn(out)
    expect(await isEnded(pid, ends ? 20_000 : 1_500)).toBe(ends)
    if (!ends) process.kill(pid, 'SIGTERM')
    expect(await isEnded(pid)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['out', 'pid'])
  },
  180_000,
)

onLinux(
  '--detached keeps it running without its parent',
  async () => {
    const { shell, pid } = await startInShell(
      (serve, keep) => `${serve.replace('--test', '--test --detached')} & ${keep}; wait`,
    )
    shell.kill('SIGKILL')
    expect(await isEnded(pid, 1_500)).toBe(false)
    process.kill(pid, 'SIGTERM')
    expect(await isEnded(pid)).toBe(true)
  },
  180_000,
)

onLinux(
  'it ends with that program also if that ends as soon as it has read the line',
  async () => {
    const child = Bun.spawn(SERVE, { cwd: root, stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
    afterFile(() => child.kill('SIGKILL'))
    for await (const chunk of child.stdout) if (testServerLine(new TextDecoder().decode(chunk))) break
    await child.stdin.end()
    expect(await child.exited).toBe(0)
  },
  30_000,
)

onLinux(
  'it ends if the program that should read its line ended before',
  async () => {
    const folder = freshFolder()
    const path = join(folder, 'pid')
    // `true` ends at once, and the pipe on stdout has no reader.
    Bun.spawnSync(['bash', '-c', `{ ${SERVE.join(' ')} < /dev/null 2> /dev/null & echo $! > ${path}; } | true`], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, BUN_FEATURE_FLAG_NO_ORPHANS: undefined },
    })
    const pid = Number(readFileSync(path, 'utf8'))
    afterFile(() => isRunning(pid) && process.kill(pid, 'SIGKILL'))
    expect(await isEnded(pid)).toBe(true)
    expect(readdirSync(folder)).toEqual(['pid'])
  },
  180_000,
)

onLinux(
  'it does not end because its stdin is empty, a file or closed',
  async () => {
    const inputs = ['< /dev/null', '< <(:)', '< package.json', '<&-'] // the second is a pipe that is empty from the start
    const ended = await Promise.all(
      inputs.map(async (stdin) => {
        const { pid } = await startInShell((serve, keep) => `${serve} ${stdin} & ${keep}; wait`)
        return isEnded(pid, 1_500)
      }),
    )
    expect(ended).toEqual(inputs.map(() => false))
  },
  180_000,
)

onLinux(
  'it hashes passwords cheaply, and its directory cannot be served otherwise',
  async () => {
    const server = await startServer(fromSource, ['--test', '--port', '0'], testServerLine)
    const data = dataOf(server.pid)
    const database = new Database(join(data, 'trialbox.db'), { readonly: true })
    const [row] = database.query<{ passwordHash: string }, []>('SELECT passwordHash FROM users').all()
    database.close()
    expect(row!.passwordHash).toStartWith('$argon2id$v=19$m=8,t=1')
    const { email, password, url } = server.found
    expect((await ask(`${url}/sessions`, { method: 'POST', body: { email, password } })).status).toBe(200)
    expect((await ask(`${url}/sessions`, { method: 'POST', body: { email, password: `${password}x` } })).status).toBe(
      401,
    )
    const copy = join(freshFolder(), 'copy')
    await server.stop('SIGKILL')
    renameSync(data, copy)
    const { code, err } = await runProgram(fromSource, 'serve', '--data', copy, '--port', '0')
    expect({ code, err }).toEqual({
      code: 1,
      err: `trialbox: ${copy} is the directory of a test server (serve --test), which protects passwords only weakly: choose another with --data.\n`,
    })
  },
  180_000,
)

test('only the start of a test server lowers the cost of passwords', async () => {
  const naming = [...new Bun.Glob('**/*.ts').scanSync('src')].filter((path) =>
    readFileSync(join('src', path), 'utf8').includes('hashForTests'),
  )
  expect(naming.sort()).toEqual(['accounts/users/passwords.ts', 'server/start.ts'])
  expect(readFileSync('src/server/start.ts', 'utf8')).toContain('if (config.test) hashForTests()')
})

test.each([['--no-limits'], ['--detached']])('%s without --test is refused', async (flag) => {
  const { code, out, err } = await runProgram(fromSource, 'serve', '--data', freshFolder(), flag)
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: `trialbox: ${flag} can be given with --test only.\n` })
})

test('--no-limits switches rate limits off', async () => {
  const server = await startServer(fromSource, ['--test', '--port', '0', '--no-limits'], testServerLine)
  const { url, apiKey: key, team } = server.found
  const statuses: number[] = []
  for (let n = 0; n < 8; n++)
    statuses.push(
      (await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: `Trial ${n}` } })).status,
    )
  expect(new Set(statuses)).toEqual(new Set([200]))
  await ask(`${url}/test/limits`, { method: 'PUT', body: { on: true } })
  await ask(`${url}/test/reset`, { method: 'POST' })
  for (let n = 0; n < 6; n++)
    expect(
      (await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: `Trial ${n}` } })).status,
    ).toBe(200)
  await server.stop()
}, 180_000)

test('directories of killed servers are deleted, all others stay', async () => {
  const folder = freshFolder()
  const make = (name: string, secrets: object | undefined, minutes: number) => {
    const path = join(folder, name)
    mkdirSync(join(path, 'files'), { recursive: true })
    if (secrets) writeFileSync(join(path, 'secrets'), JSON.stringify({ format: 1, secret: 's'.repeat(43), ...secrets }))
    const at = new Date(Date.now() - minutes * 60_000)
    utimesSync(path, at, at)
  }
  make('trialbox-test-aaaaaaaaaaaa', { test: true }, 5)
  make('trialbox-test-bbbbbbbbbbbb', { test: true }, 0) // may be about to be locked
  make('trialbox-test-cccccccccccc', {}, 5) // somebody's study, whatever its name
  make('trialbox-test-dddddddddddd', undefined, 5)
  make('trialbox-test-eeee', { test: true }, 5)
  make('study', { test: true }, 5)
  await removeTestDirectories(folder)
  expect(readdirSync(folder).sort()).toEqual([
    'study',
    'trialbox-test-bbbbbbbbbbbb',
    'trialbox-test-cccccccccccc',
    'trialbox-test-dddddddddddd',
    'trialbox-test-eeee',
  ])
  await removeTestDirectories(join(folder, 'missing'))
})

onLinux(
  'a new test server deletes what a killed one left, and not what a running one uses',
  async () => {
    const folder = freshFolder()
    const program = { ...fromSource, env: { ...process.env, TMPDIR: folder } as Record<string, string> }
    const start = () => startServer(program, ['--test', '--port', '0'], testServerLine)
    const [killed, running] = [await start(), await start()]
    const [left, used] = [dataOf(killed.pid), dataOf(running.pid)]
    expect(dirname(left)).toBe(folder)
    await killed.stop('SIGKILL')
    const next = await start()
    await until(() => !existsSync(left))
    expect([existsSync(left), existsSync(used)]).toEqual([false, true])
    expect((await ask(`${running.found.url}/health`)).status).toBe(200)
    await Promise.all([running.stop(), next.stop()])
    expect(readdirSync(folder)).toEqual([])
  },
  180_000,
)
