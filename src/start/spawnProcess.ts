/**
 * Starts a process that reads files: the same program, with an argument that is in no help. From source it is Bun with the main
 * file, so this file is beside that one.
 */
import type { FromProcess, SpawnProcess } from '#jobs/process'

/** The argument. */
export const READS_FILES = 'reads-files'

const isCompiled = /[\\/](?:\$bunfs|~BUN)[\\/]/.test(import.meta.path)
const program = isCompiled
  ? [process.execPath]
  : [process.execPath, Bun.fileURLToPath(new URL('./main.ts', import.meta.url))]

/** What readers need of the environment. They are not given the server's secrets. */
const KEPT = ['TZ', 'TMPDIR', 'TEMP', 'SystemRoot']
const env = Object.fromEntries(KEPT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))

export const spawnProcess: SpawnProcess = (told, exited) => {
  const child = Bun.spawn([...program, READS_FILES], {
    ipc: (message: FromProcess) => told(message),
    onExit: (_, code, signal) => exited(signal === null ? `code ${code}` : `signal ${signal}`),
    stdio: ['ignore', 'ignore', 'ignore'],
    env,
  })
  return { send: (message) => child.send(message), kill: () => child.kill('SIGKILL') }
}
