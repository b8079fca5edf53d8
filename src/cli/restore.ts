import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { configure, dataOption } from '#server/config/settings'
import type { Command } from './command'

export const command: Command = {
  name: 'restore',
  summary: 'restore a backup into a new or empty data directory',
  usage: '<archive> --data <directory>',
  about:
    'Nothing is put in place until the whole archive was read, every file in it has its recorded SHA-256, and the database\nand its audit trail are verified. A restore never overwrites data: stop the server, move the old directory away, restore.',
  options: [
    dataOption,
    { flag: 'damaged', summary: 'bring back what is left of a damaged archive, and list what is not' },
  ],
  examples: [
    'trialbox restore /mnt/safe/trialbox-20260302T120000Z.tar --data /srv/trialbox',
    'trialbox restore /mnt/safe/trialbox-20260302T120000Z.damaged.tar --damaged --data /srv/trialbox',
  ],
  words: 1,
  async run({ flags, words: [archive], env, print }) {
    if (archive === undefined) throw fault('This needs the archive: trialbox restore <archive> --data <directory>.')
    const path = resolve(archive)
    if (!existsSync(path)) throw fault(`There is no file ${path}.`)
    const { damaged, ...known } = flags
    const { data } = configure(known, env)
    const say = (line: string) => print(`note   ${line}`)
    if (damaged) return restoreWhatIsLeft(path, data, print, say)
    const { contentOf } = await import('#server/backup/manifest')
    const [{ restoreBackup }, { problemsIn, staleIn }] = await Promise.all([
      import('#server/backup/restore'),
      import('./checks'),
    ])
    /** @throws a fault that names the first check that fails */
    let stale: string[] = []
    const verifyAll = (sqlite: Sqlite) => {
      stale = staleIn(sqlite)
      const [problem] = problemsIn(sqlite)
      if (problem) throw fault(`The backup cannot be restored, ${problem}. See /manual/backup#restore-faults.`)
    }
    const manifest = restoreBackup(path, data, systemClock.now(), verifyAll, undefined, say)
    print(`${data}, as it was at ${manifest.createdAt}`)
    print(contentOf(manifest))
    for (const problem of stale) print(`stale  ${problem}: \`trialbox repair --derived\` computes it anew`)
    for (const { name, problem } of manifest.amiss) print(`note   ${name} ${problem} since before the backup`)
    print(`Start it with: trialbox serve --data ${data}`)
    return 0
  },
}

/** Restores a damaged archive as far as possible. Returns the exit code: 1 if anything could not be brought back. */
async function restoreWhatIsLeft(
  path: string,
  data: string,
  print: (line: string) => void,
  say: (line: string) => void,
): Promise<number> {
  const [{ restoreDamaged }, { problemsIn, staleIn }] = await Promise.all([
    import('#server/backup/damaged'),
    import('./checks'),
  ])
  const verifyAll = (sqlite: Sqlite) => [...problemsIn(sqlite), ...staleIn(sqlite)]
  const { manifest, problems } = restoreDamaged(path, data, systemClock.now(), verifyAll, say)
  print(
    `${data}, ${manifest ? `as it was at ${manifest.createdAt}` : 'of an unknown time'}, as far as it could be read`,
  )
  for (const problem of problems) print(`fault  ${problem}`)
  print(`Keep the archive. Start what was brought back with: trialbox serve --data ${data}`)
  return problems.length ? 1 : 0
}
