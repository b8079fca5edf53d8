import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import type { RestoreOptions } from '#server/backup/restore'
import { configure, dataOption } from '#server/config/settings'
import { ownerFrom } from '#server/process/owner'
import type { Command } from './command'
import { identityOption, withPlainArchive } from './plainArchive'

export const command: Command = {
  name: 'restore',
  summary: 'restore a backup into a new or empty data directory',
  usage: '<archive> --data <directory>',
  about:
    'Nothing is put in place until the whole archive was read, every file in it has its recorded SHA-256, and the database\nand its audit trail are verified. A restore never overwrites data: stop the server, move the old directory away, restore.\n\nAll sessions are ended. The command lists the accounts, keys and links that work again; keys wait until somebody confirms\nthem. The directory is a copy that sends nothing until `serve --go-live`.',
  options: [
    dataOption,
    { flag: 'damaged', summary: 'bring back what is left of a damaged archive, and list what is not' },
    { flag: 'keep-keys', summary: 'let API keys work again, which otherwise wait for a confirmation' },
    identityOption,
    {
      flag: 'owner',
      takes: 'user',
      summary: 'the user of the server, who gets the directory; for root',
      otherwise: 'this user',
    },
  ],
  examples: [
    'trialbox restore /mnt/safe/trialbox-20260302T120000Z.tar --data /srv/trialbox',
    'trialbox restore /mnt/safe/trialbox-20260302T120000Z.damaged.tar --damaged --data /srv/trialbox',
    'trialbox restore /mnt/safe/trialbox-20260302T120000Z.tar.age --identity key.txt --data /srv/trialbox',
    'trialbox restore /mnt/safe/trialbox-20260302T120000Z.tar --data /srv/trialbox --owner trialbox',
  ],
  words: 1,
  async run({ flags, words: [archive], env, print }) {
    if (archive === undefined) throw fault('This needs the archive: trialbox restore <archive> --data <directory>.')
    const path = resolve(archive)
    if (!existsSync(path)) throw fault(`There is no file ${path}.`)
    const { damaged, 'keep-keys': keepKeys, identity, owner, ...known } = flags
    const { data } = configure(known, env)
    const options = {
      report: (line: string) => print(`note   ${line}`),
      areKeysKept: keepKeys === true,
      owner: owner === undefined ? undefined : ownerFrom(`${owner}`),
    }
    const decrypted = (use: (plain: string) => number | Promise<number>) =>
      withPlainArchive(path, identity?.toString(), data, use)
    if (damaged) return decrypted((plain) => restoreWhatIsLeft(plain, data, print, options))
    const { contentOf } = await import('#server/backup/manifest')
    const [{ restoreBackup }, { linesOf }, { problemsIn, staleIn }] = await Promise.all([
      import('#server/backup/restore'),
      import('#server/backup/restoredAccess'),
      import('./checks'),
    ])
    let stale: string[] = []
    /** @throws a fault that names the first check that fails */
    const verifyAll = (sqlite: Sqlite) => {
      stale = staleIn(sqlite)
      const [problem] = problemsIn(sqlite)
      if (problem) throw fault(`The backup cannot be restored, ${problem}. See /manual/backup#restore-faults.`)
    }
    return decrypted((plain) => {
      const { manifest, restoredAccess } = restoreBackup(plain, data, systemClock.now(), verifyAll, options)
      print(`${data}, as it was at ${manifest.createdAt}`)
      print(contentOf(manifest))
      for (const problem of stale) print(`stale  ${problem}: \`trialbox repair --derived\` computes it anew`)
      for (const { name, problem } of manifest.amiss) print(`note   ${name} ${problem} since before the backup`)
      for (const line of linesOf(restoredAccess)) print(line)
      for (const line of nextSteps(data)) print(line)
      return 0
    })
  },
}

/** What to do with a directory that was restored. */
const nextSteps = (data: string): string[] => [
  `It is a copy that sends nothing. Look at it with: trialbox serve --data ${data}`,
  `If it takes the place of the server, start it once with: trialbox serve --data ${data} --go-live`,
]

/** Restores a damaged archive as far as possible. Returns the exit code: 1 if anything could not be brought back. */
async function restoreWhatIsLeft(
  path: string,
  data: string,
  print: (line: string) => void,
  options: RestoreOptions,
): Promise<number> {
  const [{ restoreDamaged }, { linesOf }, { problemsIn, staleIn }] = await Promise.all([
    import('#server/backup/damagedBackup'),
    import('#server/backup/restoredAccess'),
    import('./checks'),
  ])
  const verifyAll = (sqlite: Sqlite) => [...problemsIn(sqlite), ...staleIn(sqlite)]
  const { manifest, problems, restoredAccess } = restoreDamaged(path, data, systemClock.now(), verifyAll, options)
  print(
    `${data}, ${manifest ? `as it was at ${manifest.createdAt}` : 'of an unknown time'}, as far as it could be read`,
  )
  for (const problem of problems) print(`fault  ${problem}`)
  for (const line of linesOf(restoredAccess)) print(line)
  print('Keep the archive.')
  for (const line of nextSteps(data)) print(line)
  return problems.length ? 1 : 0
}
