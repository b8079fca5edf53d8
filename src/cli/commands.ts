import { fault, isFault } from '#kernel/fault'
import { machineFailureText } from '#kernel/machine'
import { nearest } from '#kernel/nearest'
import { Problem } from '#kernel/problem'
import { dataFolder, dataOption } from '#server/config/data'
import type { Environment, Flags } from '#server/config/options'
import { readArguments } from './arguments'
import { command as backup } from './backup'
import { command as certificate } from './certificate'
import { command as clock } from './clock'
import type { Command, ServerCall } from './command'
import { command as demo } from './demo'
import { command as doctor } from './doctor'
import { command as drill } from './drill'
import { command as food } from './food'
import { helpOf, overview } from './help'
import { command as keys } from './keys'
import { command as languages } from './languages'
import { command as log } from './log'
import { command as openapi } from './openapi'
import { command as repair } from './repair'
import { command as restore } from './restore'
import { command as rollback } from './rollback'
import { command as secrets } from './secrets'
import { command as serve } from './serve'
import { command as users } from './users'
import { command as verify } from './verify'
import { command as verifyRecord } from './verifyRecord'
import { command as version } from './version'

/** All commands, in the order of the help. */
export const commands: readonly Command<ServerCall>[] = [
  serve,
  demo,
  users,
  keys,
  secrets,
  log,
  food,
  languages,
  backup,
  restore,
  drill,
  rollback,
  verify,
  verifyRecord,
  repair,
  clock,
  certificate,
  doctor,
  openapi,
  version,
]

function commandNamed(name: string): Command<ServerCall> {
  const command = commands.find((each) => each.name === name)
  if (command) return command
  const suggestion = nearest(name, [...commands.map((each) => each.name), 'help'])
  throw fault(
    `There is no command "${name}"${suggestion ? `; did you mean ${suggestion}?` : ': trialbox --help lists them.'}`,
  )
}

/**
 * Performs a command line and returns the exit code. A fault is printed in one line on stderr.
 * @param args the words after `trialbox`
 * @param loadProgram loads what a server is started with
 */
export async function perform(
  args: readonly string[],
  env: Environment,
  loadProgram: ServerCall['loadProgram'],
): Promise<number> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    const [name, ...rest] = args
    if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && !rest.length)) {
      print(overview(commands))
      return 0
    }
    if (name === 'help') {
      print(helpOf(commandNamed(rest[0]!)))
      return 0
    }
    const command = commandNamed(name === '--version' ? 'version' : name)
    const { flags, words, help } = readArguments(command, rest)
    if (!help) {
      await clearRestores(command, flags, env)
      return await command.run({ flags, words, env, loadProgram, print })
    }
    print(helpOf(command))
    return 0
  } catch (error) {
    const sentence = sentenceOf(error)
    if (sentence === undefined) throw error
    process.stderr.write(`trialbox: ${sentence}\n`)
    return 1
  }
}

/** Removes what killed restores left in the data directory of a command, or beside it: all data of a study. It says so on stderr. */
async function clearRestores({ options }: Command, flags: Flags, env: Environment): Promise<void> {
  if (flags.test || !options.includes(dataOption)) return
  const { clearAbandonedRestores } = await import('#server/backup/staging')
  const warn = (line: string) => void process.stderr.write(`trialbox: ${line}\n`)
  clearAbandonedRestores(dataFolder(flags, env), warn)
}

/** What is printed of a fault, a refusal, or an error of the disk or the database; undefined for a defect, whose stack is printed. */
export function sentenceOf(error: unknown): string | undefined {
  return isFault(error) || error instanceof Problem ? error.message : machineFailureText(error)
}
