import type { Environment, Flags, Option } from '#server/config/options'
import type { Program } from '#server/program'

/** The arguments of one call of a command. */
export type Call = Readonly<{
  flags: Flags
  /** The arguments that are not flags, such as the words after `users`. */
  words: readonly string[]
  env: Environment
  /** Writes a line to stdout. */
  print(line: string): void
}>

/** The call of a command that starts a server, or needs to know all that one offers. */
export type ServerCall = Call & Readonly<{ loadProgram(): Promise<Program> }>

/**
 * A command of `trialbox`: a file of this folder exports one as `command`, and `commands.ts` lists it. The file describes how
 * the command is called; modules that load slowly are imported within `run`, so that `--help` is quick.
 */
export type Command<C extends Call = Call> = Readonly<{
  name: string
  /** One line for the list of commands, in lower case and without a full stop. */
  summary: string
  /** The arguments after the name, such as `[flags]` or `create|list [flags]`. */
  usage: string
  /** Sentences for the command's own help. */
  about?: string
  options: readonly Option[]
  /** At least one complete command line that works. */
  examples: readonly [string, ...string[]]
  /** The maximum number of arguments besides flags; 0 if it is left out. */
  words?: number
  /** Performs the command and returns the exit code. @throws a fault if it cannot */
  run(call: C): number | Promise<number>
}>
