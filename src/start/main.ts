import '#server/process/firstParent'
import { READS_FILES } from './spawnProcess'

// What is written holds patients' data: nobody else on the machine may read it.
process.umask(0o077)

// If the reader of a pipe has gone (`| head`), a command ends as usual. A server runs on, whatever happens to its output.
let isOutputLost = false
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isOutputLost) return
  isOutputLost = true
  process.exitCode = 1
  process.stderr.write(`trialbox: The output cannot be written (${code}).\n`)
})

// What one start does not need is not loaded.
if (process.argv[2] === READS_FILES && process.send) {
  const [{ serveProcess }, { spawnWorker }] = await Promise.all([import('#jobs/processWork'), import('./spawnWorker')])
  serveProcess(spawnWorker)
} else {
  const { perform } = await import('#cli/commands')
  // Set the code instead of calling process.exit, so that output to a pipe is written to its end.
  const loadProgram = async () => (await import('./program')).program
  const code = await perform(process.argv.slice(2), process.env, loadProgram)
  process.exitCode = isOutputLost ? 1 : code
}
