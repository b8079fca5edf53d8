import { systemClock } from '#kernel/time'
import { dataFolder, dataOption } from '#server/config/data'
import type { Command } from './command'

export const command: Command = {
  name: 'secrets',
  summary: 'rotate the keys of the server, list them, and forget earlier ones',
  usage: 'rotate|list|forget [flags]',
  about:
    'The keys sign links and seal secrets in the database. `rotate` makes a new one and seals what is stored with it. Earlier keys stay,\nso that links, codes and what devices sealed go on working; `list` says what still needs each. `forget` removes those that nothing\nneeds, 90 days after they were replaced at the earliest; with --now all earlier ones at once, and says what ends. `rotate` and\n`forget` need the server to be stopped. Whatever kills them, everything can be read, and the next one completes the work.',
  options: [dataOption, { flag: 'now', summary: 'for forget: at once, also keys that something needs' }],
  examples: [
    'trialbox secrets list',
    'trialbox secrets rotate --data /srv/trialbox',
    'trialbox secrets forget --data /srv/trialbox',
  ],
  words: 1,
  async run(call) {
    const [{ onDatabase }, { manageSecrets }] = await Promise.all([import('./database'), import('./manageSecrets')])
    const data = dataFolder(call.flags, call.env)
    return manageSecrets(call, data, systemClock.now(), (act, isWriting) => onDatabase(call, act, { isWriting }))
  },
}
