import { systemClock } from '#kernel/time'
import { dataOption, serverOptions } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'users',
  summary: 'list, add, reset, move, disable and enable the accounts of staff',
  usage: 'list|add|reset|move|disable|enable [flags]',
  about:
    'The server may run meanwhile. This command sets no password: `add` and `reset` print a link with which the person\nchooses one. If the team does not exist yet, `add` makes it, and the account owns it.',
  options: [
    dataOption,
    ...serverOptions.filter(({ flag }) => flag === 'public-url'),
    { flag: 'email', takes: 'address', summary: 'whose account; list needs none' },
    { flag: 'to', takes: 'address', summary: 'for move: the new e-mail address' },
    { flag: 'name', takes: 'text', summary: 'for add: the name' },
    { flag: 'team', takes: 'name', summary: 'for add: the team' },
    {
      flag: 'permissions',
      takes: 'words',
      summary: 'for add: of team.admin, trials.create and trials.manage, separated by commas',
      otherwise: 'none',
    },
    { flag: 'remove-totp', summary: 'for reset: also turn off two-step sign-in, if the authenticator is lost' },
  ],
  examples: [
    'trialbox users list',
    'trialbox users add --email ann@example.org --name "Ann Ash" --team Research --permissions trials.create',
    'trialbox users move --email ann@example.org --to ann@hospital.example',
    'trialbox users reset --email ann@example.org --remove-totp',
  ],
  words: 1,
  async run(call) {
    const [{ onDatabase }, { manageUsers }] = await Promise.all([import('./database'), import('./manageUsers')])
    onDatabase(call, (db, publicUrl) => manageUsers(call, db, systemClock.now(), publicUrl))
    return 0
  },
}
