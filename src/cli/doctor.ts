import { systemClock } from '#kernel/time'
import { messageOptions } from '#server/config/messages'
import { type Config, configure, serverOptions } from '#server/config/settings'
import type { Finding } from '#server/health/health'
import { copyOf } from '#server/process/secretsFile'
import type { Command } from './command'

const FLAGS = ['data', 'host', 'port', 'tls', 'behind-proxy', 'public-url', ...messageOptions.map(({ flag }) => flag)]

async function* findings(config: Config): AsyncGenerator<Finding> {
  const [{ examine }, { checkMessaging }] = await Promise.all([
    import('#server/health/health'),
    import('#outbox/reachability'),
  ])
  yield* examine(config, systemClock.now())
  const copy = copyIn(config.data)
  if (copy)
    yield {
      name: 'copy',
      isFine: true,
      detail: `a restored copy, of a backup from ${copy.madeAt ?? 'an unknown time'}: it sends nothing, so nothing was tried; see --go-live`,
    }
  else yield* checkMessaging(config.messages)
}

/** Of what the directory is a copy; undefined also if it cannot be read, which is another finding. */
function copyIn(data: string) {
  try {
    return copyOf(data)
  } catch {
    return undefined
  }
}

export const command: Command = {
  name: 'doctor',
  summary: 'examine this machine and the data directory, and change nothing',
  usage: '[flags]',
  about:
    'Examines the data directory, free disk space, the database file, dispensed packs that are not of the participant’s arm,\nan imported table of foods, the clock, the certificate, the port, where links lead, and the senders of messages (it signs in to the mail server, and sends nothing). The\nserver may run meanwhile. The exit code is 1 if it finds a fault.',
  options: serverOptions.filter(({ flag }) => FLAGS.includes(flag)),
  examples: ['trialbox doctor', 'trialbox doctor --data /srv/trialbox --port 443'],
  async run({ flags, env, print }) {
    const config: Config = configure(flags, env)
    let code = 0
    for await (const { name, isFine, detail } of findings(config)) {
      print(`${isFine ? 'ok   ' : 'fault'}  ${name.padEnd(16)} ${detail}`)
      if (!isFine) code = 1
    }
    return code
  },
}
