/** Starts the programs of the benchmark, and leaves none of them and none of their folders behind. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Settings = { quick: boolean; rounds: number }

// As the executable is: never with the checks that Elysia makes in development.
const env = { ...process.env, NODE_ENV: 'production' } as Record<string, string>
const started = new Set<{ kill(signal?: number | NodeJS.Signals): void }>()
const folders = new Set<string>()

/** Stops all started programs and removes all folders, however the benchmark ends. */
export function removeEverything(): void {
  for (const child of started) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trialbox-bench-'))
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

/** A copy that may be changed. It is on disk before this returns, so that writing it does not disturb what is measured. */
export function copyOf(folder: string): string {
  const copy = freshFolder()
  cpSync(folder, copy, { recursive: true })
  Bun.spawnSync(['sync'])
  return copy
}

export const scriptPath = (name: string) => join(import.meta.dir, name)
export const root = join(import.meta.dir, '../..')

/** A running script that prints its result as JSON at its end. */
export type RunningScript<T> = { pid: number; result: Promise<T>; end(): void }

/** Runs a script of this folder. `end` tells it to stop early and print what it has. @param input is sent as JSON */
export function run<T>(name: string, words: readonly string[], input?: unknown): RunningScript<T> {
  const child = Bun.spawn([process.execPath, scriptPath(name), ...words], {
    env,
    stdin: input === undefined ? 'ignore' : new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  started.add(child)
  const result = (async () => {
    const text = await new Response(child.stdout).text()
    const code = await child.exited
    started.delete(child)
    if (code !== 0) throw new Error(`${name} ${words.join(' ')} ended with ${code}`)
    return JSON.parse(text) as T
  })()
  return { pid: child.pid, result, end: () => child.kill('SIGTERM') }
}

/** Runs a script of this folder to its end. Returns the JSON that it prints. */
export const runToEnd = <T>(name: string, words: readonly string[], input?: unknown): Promise<T> =>
  run<T>(name, words, input).result

export type StartedProgram = {
  pid: number
  /** Its output until it had written a line. */
  out: string
  /** How many SQL statements it has run, if it was started with `statements.ts`. */
  statements(): Promise<number>
  stop(): Promise<void>
}

/** Starts a program and resolves when it has written a line. @param stderr `ignore` if it writes its log there */
export async function start(
  command: readonly string[],
  stderr: 'inherit' | 'ignore' = 'inherit',
): Promise<StartedProgram> {
  let answer: (count: number) => void = () => {}
  const child = Bun.spawn([...command], {
    env,
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr,
    ipc: (count: number) => answer(count),
  })
  started.add(child)
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  let out = ''
  while (!out.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended before it was ready`)
    out += decoder.decode(value, { stream: true })
  }
  // Its log is read as a service manager reads it, so that a server which logs its requests never blocks.
  const rest = (async () => {
    while (!(await reader.read()).done);
  })()
  return {
    pid: child.pid,
    out,
    statements: () =>
      new Promise((resolve) => {
        answer = resolve
        child.send('count')
      }),
    async stop() {
      child.kill('SIGTERM')
      await Promise.all([child.exited, rest])
      started.delete(child)
    },
  }
}
