import { perform } from '#cli/commands'

// What is written holds patients' data: nobody else on the machine may read it.
process.umask(0o077)

// If the reader of a pipe has gone (`| head`), a command ends as usual, and a server runs on.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// Set the code instead of calling process.exit, so that output to a pipe is written to its end.
process.exitCode = await perform(process.argv.slice(2), process.env)
