import { perform } from '#cli/commands'

// Set rather than exited with, so that what is still being written to a pipe is written.
process.exitCode = await perform(process.argv.slice(2), process.env)
