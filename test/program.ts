/** Trialbox as a separate process, from the source or as the executable. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterFile } from './afterFile'
import { bun, freshFolder, root } from './server/process/folder'

/** The command to start: `[bun, 'src/start/main.ts']`, or the path of an executable. */
export type Program = { command: string[]; cwd: string; env?: Record<string, string> }

export const fromSource: Program = { command: [process.execPath, 'src/start/main.ts'], cwd: root }

/** Builds the executable, and copies it alone to another folder. */
export function builtProgram(): Program {
  const built = freshFolder()
  const { stderr, exitCode } = Bun.spawnSync([bun, 'scripts/build.ts', '--out', built], { cwd: root })
  if (exitCode !== 0 || stderr.length) throw new Error(stderr.toString())
  const path = join(freshFolder(), 'trialbox')
  copyFileSync(join(built, 'trialbox'), path)
  return { command: [path], cwd: freshFolder(), env: { PATH: '/nowhere' } }
}

/** The environment without settings of the machine that could affect a test. */
const machine = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => !entry[0].startsWith('TRIALBOX_')),
  )

/** Runs a command to its end. */
export async function runProgram({ command, cwd, env = machine() }: Program, ...words: string[]) {
  const child = Bun.spawn([...command, ...words], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** Starts a server and waits until `ready` finds what it needs in the output to stdout. */
export async function startServer<T>(
  { command, cwd, env = machine() }: Program,
  words: string[],
  ready: (out: string) => T | undefined,
) {
  const child = Bun.spawn([...command, 'serve', ...words], {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  afterFile(() => child.kill('SIGKILL'))
  let out = ''
  const err = new Response(child.stderr).text()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      out += decoder.decode(chunk, { stream: true })
      const found = ready(out)
      if (found !== undefined) resolve(found)
    }
    reject(new Error(`It ended before it was ready: ${out}${await err}`))
  })()
  return {
    found: await promise,
    pid: child.pid,
    out: () => out,
    /** Stops the server, and returns its exit and its whole output. */
    async stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM') {
      child.kill(signal)
      const code = await child.exited
      await reading.catch(() => {})
      return { code, out, err: await err }
    },
  }
}

/** The line that announces a test server. */
export const testServerLine = (out: string) =>
  out.includes('\n')
    ? (JSON.parse(out.split('\n')[0]!) as Record<'url' | 'apiKey' | 'team' | 'user' | 'email' | 'password', string>)
    : undefined

/** The banner of a server: its address, and the set-up link if there is one. */
export function banner(out: string) {
  if (!out.includes('Stop with')) return undefined
  return {
    url: /listening\s+(\S+)/.exec(out)![1]!,
    fingerprint: /([0-9A-F]{2}(:[0-9A-F]{2}){31})/.exec(out)?.[1],
    setup: /(http\S+\/setup\/\S+)/.exec(out)?.[1],
  }
}

/** Sends a request over HTTP and accepts any certificate. */
export async function ask(url: string, { method = 'GET', key, body, headers }: RequestOptions = {}) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    tls: { rejectUnauthorized: false },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers by name
    body: (isJson ? JSON.parse(text) : undefined) as any,
  }
}

type RequestOptions = { method?: string; key?: string; body?: unknown; headers?: Record<string, string> }

/** Creates the first account with its set-up link, signs in, and creates a key, as a new user does in the browser. */
export async function firstKey(url: string, setup: string): Promise<{ key: string; team: string }> {
  const password = 'correct horse battery'
  const email = 'olga@example.org'
  const account = await ask(setup, { method: 'POST', body: { email, name: 'Olga', team: 'Research', password } })
  if (account.status !== 200) throw new Error(account.text)
  const session = await ask(`${url}/sessions`, { method: 'POST', body: { email, password } })
  const headers = {
    Cookie: session.headers.get('set-cookie')!.split(';')[0]!,
    'X-CSRF-Token': session.body.csrfToken as string,
  }
  const { body } = await ask(`${url}/users/me/api-keys`, { method: 'POST', headers, body: { name: 'test' } })
  return { key: body.key, team: session.body.user.teams[0]._id }
}
