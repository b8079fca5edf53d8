/** The pages of the manual about the command line. */
import type { Command } from '#cli/command'
import { commands } from '#cli/commands'
import type { Option } from '#server/config/options'
import { code, NOTE, table } from './markdown'

function optionTable(options: readonly Option[]): string {
  const rows = options.map(({ flag, takes, summary, env, otherwise }) => [
    code(`--${flag}${takes ? ` <${takes}>` : ''}`),
    summary,
    otherwise ? (/^[./\d{]|^auto$|^text$/.test(otherwise) ? code(otherwise) : otherwise) : '',
    env ? code(env) : '',
  ])
  return table(['flag', 'what it does', 'default', 'variable'], rows)
}

const commandTexts = (list: readonly Command[]): string =>
  list
    .map(({ name, summary, usage, about, options, examples }) =>
      [
        `## ${name}`,
        `\`${`trialbox ${name} ${usage}`.trim()}\`: ${summary}.${about ? `\n${about.replaceAll('<', '&lt;')}` : ''}`,
        ...(options.length ? [optionTable(options)] : []),
        `\`\`\`text\n${examples.join('\n')}\n\`\`\``,
      ].join('\n\n'),
    )
    .join('\n\n')

/** Those that make, try and bring back backups, and check data. */
const ofBackups = ['backup', 'restore', 'drill', 'rollback', 'verify', 'verify-record', 'repair']
const isOfBackups = ({ name }: Command): boolean => ofBackups.includes(name)

const startsServer = ({ name }: Command): boolean => name === 'serve'

const settingsPage = (): string => `${NOTE}

# Settings of the server

How to choose them: [running a server](running.md). A flag wins over its environment variable, and that over \`trialbox.conf\`.

${commandTexts(commands.filter(startsServer))}
`

function commandsPage(): string {
  return `${NOTE}

# Commands

Every command has \`--help\`. A flag wins over its environment variable. The exit code is 0 if all went well and 1 if not; a fault
is one line on stderr. How to use them: [running a server](running.md), [backup](backup.md). \`trialbox serve\` and its flags have a
page of their own: [settings](settings.md). So have [the commands for backups](commands-backup.md): ${ofBackups.map(code).join(', ')}.

${commandTexts(commands.filter((each) => !startsServer(each) && !isOfBackups(each)))}
`
}

const backupCommandsPage = (): string => `${NOTE}

# Commands for backups

They make, try and bring back backups, and check data: see [backup and restore](backup.md). What holds for all commands is on the page
[commands](commands.md).

${commandTexts(commands.filter(isOfBackups))}
`

/** The pages by file name. */
export const commandPages = (): Record<string, string> => ({
  'commands.md': commandsPage(),
  'commands-backup.md': backupCommandsPage(),
  'settings.md': settingsPage(),
})
