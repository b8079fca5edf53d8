import { dataOption } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'verify',
  summary: 'check the database, its audit trail, and that everything else agrees with it',
  usage: '[flags]',
  about:
    'Changes nothing. The server may run meanwhile. The exit code is 1 if the data is wrong (`fault`), and 2 if only values that follow\nfrom it are (`stale`): `trialbox repair --derived` computes those anew.',
  options: [
    dataOption,
    { flag: 'quick', summary: 'look only for damage in the database file' },
    { flag: 'heads', summary: 'print the last entry of each chain of the audit trail, to be kept elsewhere' },
    { flag: 'against', takes: 'file', summary: 'check that the audit trail still holds the heads in this file' },
  ],
  examples: ['trialbox verify', 'trialbox verify --heads > heads.txt', 'trialbox verify --against heads.txt'],
  async run(call) {
    const { verify } = await import('./checks')
    return verify(call)
  },
}
