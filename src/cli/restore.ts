import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { configure, dataOption } from '#server/config/settings'
import type { Command } from './command'
import { checks } from './verify'

export const command: Command = {
  name: 'restore',
  summary: 'restore a backup into a new or empty data directory',
  usage: '<archive> --data <directory>',
  about:
    'Nothing is put in place until the whole archive was read, every file in it has its recorded SHA-256, and the database\nand its audit trail are verified. A restore never overwrites data: stop the server, move the old directory away, restore.',
  options: [dataOption],
  examples: ['trialbox restore /mnt/safe/trialbox-20260302T120000Z.tar --data /srv/trialbox'],
  words: 1,
  async run({ flags, words: [archive], env, print }) {
    if (archive === undefined) throw fault('This needs the archive: trialbox restore <archive> --data <directory>.')
    const path = resolve(archive)
    if (!existsSync(path)) throw fault(`There is no file ${path}.`)
    const { data } = configure(flags, env)
    const { restoreBackup } = await import('#server/backup/restore')
    const manifest = restoreBackup(path, data, systemClock.now(), (sqlite) => {
      for (const { name, run } of checks) {
        try {
          run(sqlite)
        } catch (error) {
          throw fault(
            `The backup cannot be restored, ${name}: ${(error as Error).message}. See /manual/backup#restore-faults.`,
          )
        }
      }
    })
    const { trials = 0, participants = 0, submissions = 0 } = manifest.counts
    print(`${data}, as it was at ${manifest.createdAt}`)
    print(`${trials} trials, ${participants} participants, ${submissions} submissions, ${manifest.files.length} files`)
    for (const { name, problem } of manifest.amiss) print(`note   ${name} ${problem} since before the backup`)
    print(`Start it with: trialbox serve --data ${data}`)
    return 0
  },
}
