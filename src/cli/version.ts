import { serviceVersion } from '#kernel/version'
import type { Command } from './command'

export const command: Command = {
  name: 'version',
  summary: 'print the version',
  usage: '',
  options: [],
  examples: ['trialbox version'],
  run({ print }) {
    print(`trialbox ${serviceVersion} (${process.platform}-${process.arch}, bun ${Bun.version})`)
    return 0
  },
}
