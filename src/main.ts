import '#server/process/firstParent'
import { READS_FILES } from './spawnProcess'

// What is written holds patients' data: nobody else on the machine may read it.
process.umask(0o077)

// If the reader of a pipe has gone (`| head`), a command ends as usual, and a server runs on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// What one start does not need is not loaded.
if (process.argv[2] === READS_FILES && process.send) {
  const [{ serveProcess }, { spawnWorker }] = await Promise.all([import('#jobs/processWork'), import('./spawnWorker')])
  serveProcess(spawnWorker)
} else {
  const { perform } = await import('#cli/commands')
  // Set the code instead of calling process.exit, so that output to a pipe is written to its end.
  process.exitCode = await perform(process.argv.slice(2), process.env)
}
