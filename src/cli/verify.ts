import { resolve } from 'node:path'
import { fault } from '#kernel/fault'
import { dataFolder, dataOption } from '#server/config/data'
import type { Command } from './command'
import { identityOption } from './plainArchive'
import { withRestoredArchive } from './restoredArchive'

export const command: Command = {
  name: 'verify',
  summary: 'check the database, its audit trail, and that everything else agrees with it',
  usage: '[archive] [flags]',
  about:
    'Changes nothing. The server may run meanwhile. The exit code is 1 if the data is wrong (`fault`), and 2 if only values that follow\nfrom it are (`stale`): `trialbox repair --derived` computes those anew. With an archive, verifies what a restore of it would make,\nin a folder beside the data directory that is deleted afterwards.',
  options: [
    dataOption,
    { flag: 'quick', summary: 'look only for damage in the database file' },
    { flag: 'heads', summary: 'print the last entry of each chain of the audit trail, to be kept elsewhere' },
    { flag: 'against', takes: 'file', summary: 'check that the audit trail still holds the heads in this file' },
    identityOption,
  ],
  examples: [
    'trialbox verify',
    'trialbox verify --heads > heads.txt',
    'trialbox verify --against heads.txt',
    'trialbox verify /mnt/safe/trialbox-20260302T120000Z.tar.age --identity key.txt',
  ],
  words: 1,
  async run(call) {
    const { verify } = await import('./checks')
    const { flags, words, env, print } = call
    const { identity, ...others } = flags
    const [archive] = words
    if (archive === undefined && identity !== undefined) throw fault('--identity is for an archive: name that, too.')
    if (archive === undefined) return verify(call)
    const place = { identity: identity?.toString(), data: dataFolder(flags, env) }
    return withRestoredArchive(resolve(archive), place, (data) =>
      verify({ flags: { ...others, data }, env: {}, print }, true),
    )
  },
}
