/**
 * Starts a process that reads files: the same program, with an argument that the help does not list. From source it is Bun with the main
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
const PASSED_VARIABLES = ['TZ', 'TMPDIR', 'TEMP', 'SystemRoot']
const env = Object.fromEntries(
  PASSED_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
)

export const spawnProcess: SpawnProcess = (onMessage, onExit) => {
  const child = Bun.spawn([...program, READS_FILES], {
    ipc: (message: FromProcess) => onMessage(message),
    onExit: (_, code, signal) => onExit(signal === null ? `code ${code}` : `signal ${signal}`),
    stdio: ['ignore', 'ignore', 'ignore'],
    env,
  })
  return { send: (message) => child.send(message), kill: () => child.kill('SIGKILL') }
}
