import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { dataOption } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'repair',
  summary: 'compute what follows from the data anew',
  usage: '--derived [flags]',
  about:
    'Progress, due reminders, counts and indexes follow from the data of the study, which this command does not touch. `verify` says\nwhen one of them is wrong (`stale`). The server may run meanwhile.',
  options: [dataOption, { flag: 'derived', summary: 'compute all values anew that follow from others' }],
  examples: ['trialbox repair --derived', 'trialbox repair --derived --data /srv/trialbox'],
  async run(call) {
    const { derived, ...flags } = call.flags
    if (!derived) throw fault('trialbox repair needs --derived, the only thing that it repairs.')
    const [{ onDatabase }, { repairDerived }] = await Promise.all([import('./database'), import('./repairDerived')])
    onDatabase({ ...call, flags }, (db) => {
      for (const line of repairDerived(db, systemClock.now())) call.print(line)
    })
    return 0
  },
}
