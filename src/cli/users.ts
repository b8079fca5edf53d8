import { systemClock } from '#kernel/time'
import { dataOption, serverOptions } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'users',
  summary: 'list, add, reset, disable and enable the accounts of staff',
  usage: 'list|add|reset|disable|enable [flags]',
  about:
    'Works beside the running server, and without one. Nobody’s password is ever set here: `add` and `reset` show a link\nwith which the person chooses it. A team that is not there yet is made, and the account owns it.',
  options: [
    dataOption,
    ...serverOptions.filter(({ flag }) => flag === 'public-url'),
    { flag: 'email', takes: 'address', summary: 'whose account; not needed to list' },
    { flag: 'name', takes: 'text', summary: 'for add: the name' },
    { flag: 'team', takes: 'name', summary: 'for add: the team' },
    {
      flag: 'permissions',
      takes: 'words',
      summary: 'for add: team.admin, trials.create, trials.manage, with commas between',
      otherwise: 'none',
    },
    { flag: 'remove-totp', summary: 'for reset: end two-step sign-in too, when the authenticator is lost' },
  ],
  examples: [
    'trialbox users list',
    'trialbox users add --email ann@example.org --name "Ann Ash" --team Research --permissions trials.create',
    'trialbox users reset --email ann@example.org --remove-totp',
  ],
  words: 1,
  async run(call) {
    const [{ onDatabase }, { manageUsers }] = await Promise.all([import('./database'), import('./manageUsers')])
    onDatabase(call, (db, publicUrl) => manageUsers(call, db, systemClock.now(), publicUrl))
    return 0
  },
}
