import { parseArgs } from 'node:util'
import { fault } from '#kernel/fault'
import type { Flags } from '#server/config/options'
import type { Command } from './command'

/** The edit distance of two words: the number of letters that are missing, added, changed or swapped. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replacement = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwapped ? rows[i - 2]![j - 2]! + 1 : replacement
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replacement, swap))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** The known word that was probably meant; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const closest = known.map((each) => ({ each, apart: distance(word, each) })).sort((a, b) => a.apart - b.apart)[0]
  return closest && closest.apart <= Math.max(1, Math.floor(word.length / 3)) ? closest.each : undefined
}

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
