/** Runs the programs of the benchmark, and formats their results. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Settings = { quick: boolean; rounds: number }

/** One line of the report. */
export type Row = { what: string; floor: string; ours: string; ratio: string }

// As the executable is: never with the checks that Elysia makes in development.
const env = { ...process.env, NODE_ENV: 'production' } as Record<string, string>
const started = new Set<{ kill(signal?: number | NodeJS.Signals): void }>()
const folders = new Set<string>()

/** Stops all started programs and removes all folders, however the benchmark ends. */
export function leaveNothing(): void {
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

const script = (name: string) => [process.execPath, join(import.meta.dir, name)]

/** Runs a script of this folder to its end. Returns the JSON that it prints. */
export async function outcome<T>(name: string, words: readonly string[], input?: unknown): Promise<T> {
  const child = Bun.spawn([...script(name), ...words], {
    env,
    stdin: input === undefined ? 'ignore' : new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  started.add(child)
  const text = await new Response(child.stdout).text()
  const code = await child.exited
  started.delete(child)
  if (code !== 0) throw new Error(`${name} ${words.join(' ')} ended with ${code}`)
  return JSON.parse(text) as T
}

export type Started = {
  pid: number
  /** Its output so far. */
  out: string
  stop(): Promise<void>
}

/** Starts a program and resolves when it has written a line. */
export async function start(command: readonly string[]): Promise<Started> {
  const child = Bun.spawn([...command], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  started.add(child)
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  let out = ''
  while (!out.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`${command.join(' ')} ended before it was ready`)
    out += decoder.decode(value, { stream: true })
  }
  // Continue to read, so that a server which logs its requests never blocks.
  const rest = (async () => {
    while (!(await reader.read()).done);
  })()
  return {
    pid: child.pid,
    out,
    async stop() {
      child.kill('SIGTERM')
      await Promise.all([child.exited, rest])
      started.delete(child)
    },
  }
}

export const startScript = (name: string, ...words: string[]): Promise<Started> => start([...script(name), ...words])

const memoryFile = (pid: number | 'self') => `/proc/${pid}/status`
export const knowsMemory = existsSync(memoryFile('self'))

/** Memory of a process in MB: `VmHWM` is its peak, `VmRSS` the current size. Linux only. */
export const memory = (what: 'VmHWM' | 'VmRSS', pid: number | 'self' = 'self'): number =>
  knowsMemory
    ? Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(memoryFile(pid), 'utf8'))![1]) / 1024
    : Number.NaN

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const digits = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value < 0.1 ? 2 : 3)

/** The median with the minimum and the maximum: `10,900 (10,500–11,200)`. */
export function figure(values: readonly number[], unit = ''): string {
  if (values.some(Number.isNaN)) return 'not known here'
  const range = values.length > 1 ? ` (${digits(Math.min(...values))}–${digits(Math.max(...values))})` : ''
  return `${digits(median(values))}${unit}${range}`
}

/** A row that compares us with the floor, by the median of the rounds' ratios. */
export function comparison(what: string, unit: string, floor: readonly number[], ours: readonly number[]): Row {
  const ratio = median(ours.map((value, at) => value / floor[at]!))
  return {
    what,
    floor: figure(floor, unit),
    ours: figure(ours, unit),
    ratio: Number.isNaN(ratio) ? '' : `× ${ratio.toFixed(2)}`,
  }
}
