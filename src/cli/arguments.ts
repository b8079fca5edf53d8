import { parseArgs } from 'node:util'
import { fault } from '#kernel/fault'
import { nearest } from '#kernel/nearest'
import type { Flags } from '#server/config/options'
import type { Command } from './command'

/**
 * Parses the arguments of a command.
 * @throws a fault for a flag that is unknown, lacks its value, has a value but takes none, or is given twice
 */
export function readArguments(
  command: Command,
  args: readonly string[],
): { flags: Flags; words: string[]; help: boolean } {
  const takes = new Map(command.options.map(({ flag, takes }) => [flag, takes !== undefined]))
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      [...takes].map(([flag, value]) => [flag, { type: value ? ('string' as const) : ('boolean' as const) }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags: Record<string, string | true> = {}
  const words: string[] = []
  let help = false
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    if (rawName === '--help' || rawName === '-h') {
      help = true
      continue
    }
    const takesValue = rawName.startsWith('--') ? takes.get(name) : undefined
    if (takesValue === undefined) {
      const suggestion = nearest(name, [...takes.keys(), 'help'])
      throw fault(
        `trialbox ${command.name} has no flag ${rawName}${suggestion ? `; did you mean --${suggestion}?` : '.'}`,
      )
    }
    if (flags[name] !== undefined) throw fault(`--${name} is given twice.`)
    if (!takesValue && inlineValue) throw fault(`--${name} takes no value.`)
    if (takesValue && (!value || (!inlineValue && value.startsWith('-')))) throw fault(`--${name} needs a value.`)
    flags[name] = takesValue ? value! : true
  }
  const most = command.words ?? 0
  if (!help && words.length > most)
    throw fault(`trialbox ${command.name} does not know what to do with "${words[most]}".`)
  return { flags, words, help }
}
