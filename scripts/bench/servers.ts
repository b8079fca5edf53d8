/** The servers that are measured: the executable of Trialbox as anybody runs it, and the floors. */
import { join } from 'node:path'
import { freshFolder, root, type StartedProgram, scriptPath, start } from './run'

/** `took`: milliseconds from the start to the first answer. */
export type Server = StartedProgram & { url: string; port: number; took: number }

let executables: Promise<{ trialbox: string; bare: string }> | undefined

/** Both executables, built once for a run of the benchmark. */
export function builtExecutables(): Promise<{ trialbox: string; bare: string }> {
  executables ??= build(freshFolder())
  return executables
}

async function build(folder: string) {
  const ours = Bun.spawn([process.execPath, join(root, 'scripts/build.ts'), '--out', folder], { stdout: 'ignore' })
  if (await ours.exited) throw new Error('the executable cannot be built')
  const bare = join(folder, 'bare')
  const { success } = await Bun.build({
    entrypoints: [scriptPath('bare.ts')],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: { outfile: bare, autoloadDotenv: false, autoloadBunfig: false },
  })
  if (!success) throw new Error('the bare executable cannot be built')
  return { trialbox: join(folder, 'trialbox'), bare }
}

/** Starts a server and asks for its health. */
export async function startServer(command: readonly string[]): Promise<Server> {
  const begin = performance.now()
  const started = await start(command)
  const [url, port] = /http:\/\/[\d.]+:(\d+)/.exec(started.out)!
  await (await fetch(`${url}/health`)).text()
  return { ...started, url, port: Number(port), took: performance.now() - begin }
}

const serving = (data: string) => ['serve', '--tls', 'off', '--port', '0', '--data', data]

/** The executable on a data directory, with its logs as they are by default. */
export const startTrialbox = async (data: string): Promise<Server> =>
  startServer([(await builtExecutables()).trialbox, ...serving(data)])

const counting = ['--preload', scriptPath('statements.ts')]

/** Trialbox from its sources, with its SQL statements counted. */
export const startCounting = (data: string): Promise<Server> =>
  startServer([process.execPath, ...counting, join(root, 'src/start/main.ts'), ...serving(data)])

/** A floor of submissions, for that many participants. @param counts whether its SQL statements are counted */
export const startFloor = (name: string, people: number, folder: string, counts = false): Promise<Server> =>
  startServer([process.execPath, ...(counts ? counting : []), scriptPath(name), folder, String(people)])
