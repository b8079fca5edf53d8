import { type Config, configure, serverOptions } from '../config'
import { systemClock } from '../kernel/time'
import { examine } from '../process/health'
import type { Command } from './command'

const EXAMINED = ['data', 'host', 'port', 'tls']

export const command: Command = {
  name: 'doctor',
  summary: 'examine this machine and the data directory, and change nothing',
  usage: '[flags]',
  about:
    'Looks at the data directory, free disk space, the database file, the clock, the certificate and the port.\nIt may run beside the server. The exit code is 1 when anything is amiss.',
  options: serverOptions.filter(({ flag }) => EXAMINED.includes(flag)),
  examples: ['trialbox doctor', 'trialbox doctor --data /srv/trialbox --port 443'],
  async run({ flags, env, print }) {
    const config: Config = configure(flags, env)
    let code = 0
    for await (const { name, isFine, says } of examine(config, systemClock.now())) {
      print(`${isFine ? 'ok   ' : 'fault'}  ${name.padEnd(15)} ${says}`)
      if (!isFine) code = 1
    }
    return code
  },
}
