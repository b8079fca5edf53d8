import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fault } from '#kernel/fault'
import { newSecret } from '#kernel/id'
import type { Flags, Option } from '#server/config/options'
import { configure, serverOptions } from '#server/config/settings'
import type { Command, ServerCall } from './command'

const WEEKS = 8
const PARTICIPANTS = 200

/** The server's flags that a demo also takes; never its environment, which may name the directory of a real study. */
const options: readonly Option[] = [
  {
    flag: 'data',
    takes: 'directory',
    summary: 'where to keep the data',
    otherwise: 'a temporary directory, deleted at the end',
  },
  ...serverOptions.filter(({ flag }) => ['host', 'port', 'tls'].includes(flag)).map(({ env: _, ...option }) => option),
  { flag: 'participants', takes: 'number', summary: 'number of participants', otherwise: String(PARTICIPANTS) },
]

function participantsOf({ participants = String(PARTICIPANTS) }: Flags): number {
  const size = /^\d{1,5}$/.test(`${participants}`) ? Number(participants) : 0
  if (size >= 6 && size <= 5000) return size
  throw fault(`--participants must be a whole number from 6 to 5000, not "${participants}".`)
}

export const command: Command<ServerCall> = {
  name: 'demo',
  summary: 'fill a new server with a made-up study, and leave it running',
  usage: '[flags]',
  about:
    'PHQ-9 and GAD-7 every week for eight weeks, at three sites: participants and staff submit over HTTP, some late, some\nnever; reminders, tasks, queries, signatures and a lock of the database follow. Then the server keeps running with all\nof it, and prints an account, an API key and a participant to try it with.',
  options,
  examples: ['trialbox demo', 'trialbox demo --data ./demo-data --port 9443'],
  async run({ flags, loadProgram, print }) {
    const { participants: _, ...known } = flags
    const size = { participants: participantsOf(flags), weeks: WEEKS, seed: 1 }
    const isTemporary = flags.data === undefined
    const data = isTemporary ? join(tmpdir(), `trialbox-demo-${newSecret().slice(0, 12)}`) : flags.data!
    const config = configure({ ...known, data }, {})
    if (existsSync(join(config.data, 'secrets')) || existsSync(join(config.data, 'trialbox.db')))
      throw fault(`${config.data} holds data already, and a demo needs an empty directory: choose another with --data.`)
    const { demoContent } = await import('#cli/walkthrough/run')
    const { serve } = await import('#server/start')
    await serve(await loadProgram(), config, demoContent(config, isTemporary, size, print))
    return new Promise<never>(() => {}) // The server runs until a signal ends it.
  },
}
