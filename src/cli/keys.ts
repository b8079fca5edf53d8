import { systemClock } from '#kernel/time'
import { dataOption } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'keys',
  summary: 'create, list, revoke and confirm API keys',
  usage: 'create|list|revoke|confirm [flags]',
  about:
    'The server may run meanwhile. `create` prints the new key and nothing else on stdout. The key is shown only this once:\nthe database keeps its SHA-256 only.\n`confirm` lets a key work again that a restored backup brought back.',
  options: [
    dataOption,
    { flag: 'email', takes: 'address', summary: 'whose keys' },
    { flag: 'name', takes: 'text', summary: 'for create: what it is for; for revoke and confirm: which one' },
    {
      flag: 'expires',
      takes: 'day',
      summary: 'for create: the last day or moment on which it works',
      otherwise: 'no end',
    },
    { flag: 'read-only', summary: 'for create: it can send GET requests only' },
    {
      flag: 'trials',
      takes: 'codes',
      summary: 'for create: the only trials that it reaches, with commas between',
      otherwise: 'all',
    },
    { flag: 'key', takes: 'id', summary: 'for revoke and confirm: which one, by its _id or prefix' },
  ],
  examples: [
    'trialbox keys create --email ann@example.org --name "nightly export" --expires 2027-01-31',
    'trialbox keys create --email ann@example.org --name dashboard --read-only --trials sleep,walk',
    'trialbox keys list --email ann@example.org',
    'trialbox keys revoke --email ann@example.org --name "nightly export"',
    'trialbox keys confirm --email ann@example.org --name "nightly export"',
  ],
  words: 1,
  async run(call) {
    const [{ onDatabase }, { manageKeys }] = await Promise.all([import('./database'), import('./manageKeys')])
    onDatabase(call, (db) => manageKeys(call, db, systemClock.now()))
    return 0
  },
}
