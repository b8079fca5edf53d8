import { serviceVersion } from '#kernel/version'
import type { Option } from '#server/config/options'
import type { Command } from './command'

const helpOption: Option = { flag: 'help', summary: 'show this help' }

/** Lines of two columns, the second aligned. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)))
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  )
}

/** What `trialbox --help` shows. */
export const overview = (commands: readonly Command[]): string =>
  [
    `Trialbox ${serviceVersion}: a whole clinical study in one executable.`,
    '',
    'Usage: trialbox <command> [flags]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'trialbox <command> --help shows the flags of a command, with an example.',
    '',
  ].join('\n')

/** What `trialbox <command> --help` shows. */
export function helpOf({ name, summary, usage, about, options, examples }: Command): string {
  const rows = [...options, helpOption].map(({ flag, takes, summary, env, otherwise }) => {
    const notes = [otherwise && `default: ${otherwise}`, env].filter(Boolean).join('; ')
    return [`--${flag}${takes ? ` <${takes}>` : ''}`, notes ? `${summary} (${notes})` : summary] as const
  })
  return [
    `trialbox ${name}: ${summary}`,
    '',
    `Usage: trialbox ${name} ${usage}`.trimEnd(),
    ...(about ? ['', about] : []),
    '',
    ...columns(rows),
    '',
    examples.length > 1 ? 'Examples:' : 'Example:',
    ...examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}
