import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Head } from '#audit/store'
import type { Sqlite } from '#db/open'
import { FOODS_FILE } from '#design/foods/types'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { configure, dataOption } from '#server/config/settings'
import { clearAbandonedBackups } from '#server/process/abandonedFiles'
import { readDataDirectory, requireUsed } from '#server/process/dataDirectory'
import { copyOf } from '#server/process/secretsFile'
import type { Call, Command } from './command'

export const command: Command = {
  name: 'backup',
  summary: 'write everything into one archive; the server may run meanwhile',
  usage: '[flags]',
  about:
    'The archive (tar) holds the database as it is at one moment, the uploads it names, the certificate, the settings and\nthe secrets file, so that signed links and sealed secrets go on working where it is restored. Whoever reads it reads everything:\nkeep it as safe as the data directory itself, or encrypt it with --to: then only the private key opens it. Exports are not in it; they can be made again.\n\nThe command prints the SHA-256 of the archive. It checks the archive as a restore does; the exit\ncode is 1 if a restore would refuse it, or if an upload was missing or damaged.',
  options: [
    dataOption,
    {
      flag: 'out',
      takes: 'file.tar|folder',
      summary: 'where to write it',
      otherwise: 'backups/ in the data directory',
    },
    {
      flag: 'to',
      takes: 'keys',
      summary: 'encrypt it for these public keys of age (age1…)',
      otherwise: 'the setting backup-to',
    },
  ],
  examples: [
    'trialbox backup',
    'trialbox backup --data /srv/trialbox --out /mnt/safe/',
    'trialbox backup --out /mnt/safe/ --to age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ],
  async run(call) {
    const { flags, env, print } = call
    const { out, to, ...known } = flags
    const { data, backupTo } = configure(known, env)
    const directory = readDataDirectory(data)
    requireUsed(directory.root)
    const { backupName, makeBackup } = await import('#server/backup/make')
    const keys = to === undefined ? backupTo : `${to}`
    const recipients = keys === undefined ? [] : await (await import('#server/backup/encryption')).recipientsFrom(keys)
    const { contentOf } = await import('#server/backup/manifest')
    const now = systemClock.now()
    if (out !== undefined && copyOf(directory.root))
      throw fault(
        'This directory is a restored copy: its backups stay in its own folder backups/, so that they are not mistaken for those of the server. Leave --out away, or start it once with --go-live.',
      )
    const target = out === undefined ? directory.backups : resolve(`${out}`)
    const path =
      existsSync(target) && statSync(target).isDirectory()
        ? join(target, backupName(now, recipients.length > 0))
        : target
    if (!existsSync(dirname(path))) throw fault(`There is no folder ${dirname(path)}.`)
    for (const left of [dirname(path), directory.backups].flatMap(clearAbandonedBackups))
      print(`note   removed ${left}, which an interrupted backup left`)
    if (existsSync(path)) throw fault(`${path} is there already, and a backup is never written over.`)
    const [{ problemsIn, staleIn }, { lossText, findLostHeads, readHeadsFile }] = await Promise.all([
      import('./checks'),
      import('#audit/headsFile'),
    ])
    let loss: string | undefined
    let stale: string[] = []
    let kept: Head[] = []
    try {
      kept = readHeadsFile(join(directory.root, 'heads')) // before the database: the server may write both meanwhile
    } catch (error) {
      loss = (error as Error).message // the backup is made all the same
    }
    const verify = (sqlite: Sqlite): string[] => {
      const lost = kept.length ? findLostHeads(sqlite, kept) : []
      if (lost.length) loss = `the database lacks changes that it held before: ${lossText(lost)}`
      stale = staleIn(sqlite)
      return problemsIn(sqlite)
    }
    const made = await makeBackup(directory, path, now, { verify, recipients })
    const { manifest, bytes, sha256, faults } = made
    print(made.path)
    print(contentOf(manifest))
    print(`${(bytes / 1024 ** 2).toFixed(1)} MB, SHA-256 ${sha256}`)
    if (!(await recordBackup(call, { bytes, sha256 })))
      print('note   the backup could not be entered in the service’s log')
    if (existsSync(join(directory.root, FOODS_FILE)))
      print(`note   the imported table of foods (${FOODS_FILE}) is not in the archive: keep what it was imported from`)
    for (const problem of stale) print(`stale  ${problem}: \`trialbox repair --derived\` computes it anew`)
    for (const problem of faults) print(`fault  ${problem}`)
    for (const { name, problem } of manifest.amiss) print(`fault  ${name} ${problem}`)
    if (loss) print(`fault  ${loss}`)
    if (faults.length)
      throw fault(
        `The backup is made, but \`trialbox restore\` refuses it, and so it is named ${basename(made.path)}: see /manual/backup#restore-what-is-left.`,
      )
    if (loss)
      throw fault(
        'The backup is made, but changes may be lost: keep the older ones, and see /manual/backup#lost-changes.',
      )
    if (manifest.amiss.length)
      throw fault(`The backup is made, but ${manifest.amiss.length} uploads could not be kept as they were.`)
    return 0
  },
}

/**
 * Enters the backup in the service's log, and returns whether it could. The backup is kept if it could not: the disk may be
 * full, or the database of an older version.
 */
async function recordBackup(call: Call, event: Record<string, unknown>): Promise<boolean> {
  const [{ appendEntry }, { runInTransaction: commitAlone }, { onDatabase }] = await Promise.all([
    import('#audit/append'),
    import('#db/commit'),
    import('./database'),
  ])
  const entry = {
    chain: 'service',
    createdAt: systemClock.now(),
    type: 'createBackup',
    userType: 'system' as const,
    event,
  }
  try {
    onDatabase(call, (db) => commitAlone(db, () => appendEntry(db, entry)))
    return true
  } catch {
    return false
  }
}
