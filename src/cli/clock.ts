import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { configure, dataOption } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'clock',
  summary: 'confirm that the clock of this machine is right',
  usage: 'accept [flags]',
  about:
    'A server does not follow a jump of the clock at once, and writes nothing while the clock is behind what was written last.\n`accept` says that the clock is right now: a running server follows it within a second, and the next start does too.',
  options: [dataOption],
  examples: ['trialbox clock accept', 'trialbox clock accept --data /srv/trialbox'],
  words: 1,
  async run(call) {
    const { words, flags, env, print } = call
    if (words[0] !== 'accept') throw fault('trialbox clock knows accept only: trialbox clock accept.')
    const [{ onDatabase }, { acceptClock }, { steadyTime }, { instantText }] = await Promise.all([
      import('./database'),
      import('#server/health/acceptClock'),
      import('#server/process/uptime'),
      import('#kernel/time'),
    ])
    const { data } = configure(flags, env)
    // It may be behind what was written last: that is what the command is for.
    onDatabase(call, (db) => acceptClock(db, data, systemClock, steadyTime()), { isWriting: false })
    print(`The clock of this machine is taken as right: ${instantText(systemClock.now())}.`)
    return 0
  },
}
