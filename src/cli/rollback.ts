import { fault } from '#kernel/fault'
import { instantText, systemClock } from '#kernel/time'
import type { Loss } from '#server/backup/rollback'
import { dataFolder, dataOption } from '#server/config/data'
import { readDataDirectory, requireUsed } from '#server/process/dataDirectory'
import type { Command } from './command'

/** What is lost, in lines. */
function* lines({ from, to, entries, since, rows }: Loss): Generator<string> {
  yield `back from schema version ${from} to ${to}`
  if (since === null) {
    yield 'nothing was written since the upgrade'
    return
  }
  yield `lost   ${entries} entries of the audit trail, from ${instantText(since)} on`
  for (const [table, more] of Object.entries(rows))
    yield more > 0 ? `lost   ${more} ${table}` : `back   ${-more} ${table} that were deleted since`
  yield 'back   sessions, keys and accounts that were ended since: look through `trialbox users list` and `keys list`'
}

export const command: Command = {
  name: 'rollback',
  summary: 'go back to the database from before an upgrade, for the program of the version before',
  usage: '--yes [flags]',
  about:
    'Puts backups/before-<version>.db in the place of the database, which is kept as backups/after-<version>.db, writes the heads\nthat fit, and enters in the log what is lost. Without --yes it says what would be lost, and changes nothing. The server must be\nstopped. Uploads stay as they are.',
  options: [dataOption, { flag: 'yes', summary: 'go back; without it, nothing is changed' }],
  examples: ['trialbox rollback --data /srv/trialbox', 'trialbox rollback --data /srv/trialbox --yes'],
  async run({ flags, env, print }) {
    const directory = readDataDirectory(dataFolder(flags, env))
    requireUsed(directory.root)
    const [{ rollBack }, { problemsIn }] = await Promise.all([import('#server/backup/rollback'), import('./checks')])
    let to = 0
    const confirm = (loss: Loss) => {
      to = loss.to
      for (const line of lines(loss)) print(line)
      return flags.yes === true
    }
    const kept = rollBack(directory, systemClock.now(), { verify: problemsIn, confirm })
    if (kept === undefined) throw fault('Nothing was changed. To go back, give --yes.')
    print(`kept   ${kept}, the database as it was`)
    print(`Start the directory with the program that writes schema version ${to}. This program would upgrade it again.`)
    return 0
  },
}
