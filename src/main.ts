import { perform } from '#cli/commands'

// Set the code instead of calling process.exit, so that output to a pipe is written to its end.
process.exitCode = await perform(process.argv.slice(2), process.env)
