import type { Environment, Flags, Option } from '#server/config/options'

/** What a command was called with. */
export type Call = Readonly<{
  flags: Flags
  /** What stood on the line besides flags, such as the words after `users`. */
  words: readonly string[]
  env: Environment
  /** Writes a line to stdout. */
  print(line: string): void
}>

/**
 * A command of `trialbox`: a file of this folder exports one as `command`, and `commands.ts` lists it. The file says how
 * the command is called; what is slow to load is imported within `run`, so that `--help` stays quick.
 */
export type Command = Readonly<{
  name: string
  /** One line for the list of commands, in lower case and without a full stop. */
  summary: string
  /** What follows the name, such as `[flags]` or `create|list [flags]`. */
  usage: string
  /** Sentences for the command's own help. */
  about?: string
  options: readonly Option[]
  /** At least one whole line that works. */
  examples: readonly [string, ...string[]]
  /** The most words it takes besides flags; 0 where it is left out. */
  words?: number
  /** Does it and gives the exit code. What cannot be done is thrown as a `fault`. */
  run(call: Call): number | Promise<number>
}>
