import type { Db } from '#db/open'
import { fault } from '#kernel/fault'
import { dataOption } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'log',
  summary: 'print the log of the service and of its teams: sign-ins, failed ones, keys, accounts, backups',
  usage: '[flags]',
  about:
    'Prints the newest entries, oldest first. They hold sign-ins and failed ones (also with addresses that no account has), keys,\ninvitations, links for a new password, confirmations, actions of the operator, backups and restores. What happened in a study\nis in its own audit trail. The server may run meanwhile.',
  options: [
    dataOption,
    { flag: 'team', takes: 'name', summary: 'only the log of this team' },
    { flag: 'type', takes: 'word', summary: 'only entries of this type, such as signIn or identityNotProven' },
    { flag: 'last', takes: 'number', summary: 'how many entries', otherwise: '50' },
    { flag: 'json', summary: 'one line of JSON for each entry' },
  ],
  examples: [
    'trialbox log',
    'trialbox log --type identityNotProven --last 1000',
    'trialbox log --team Research --json',
  ],
  async run(call) {
    const { flags, print } = call
    const last = flags.last === undefined ? 50 : Number(flags.last)
    if (!(Number.isInteger(last) && last >= 1 && last <= 1_000_000_000))
      throw fault(`--last must be a whole number from 1, not "${flags.last}".`)
    const [{ onDatabase }, { logLines }] = await Promise.all([import('./database'), import('#exchange/logs/service')])
    const only = { team: flags.team?.toString(), type: flags.type?.toString(), last, isJson: flags.json === true }
    const printLines = (db: Db) => {
      for (const line of logLines(db, only)) print(line)
    }
    onDatabase(call, printLines, { isWriting: false })
    return 0
  },
}
