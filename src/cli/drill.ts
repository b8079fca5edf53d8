import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fault } from '#kernel/fault'
import { instantText, SECOND, systemClock } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { closeGate } from '#outbox/gate'
import type { Manifest } from '#server/backup/manifest'
import { dataFolder, dataOption } from '#server/config/data'
import type { Command, ServerCall } from './command'
import { identityOption } from './plainArchive'
import { withRestoredArchive } from './restoredArchive'

const line = (name: string, text: string) => `${name.padEnd(12)}${text}`

/** What the certificate says of the content of the archive, whose rows the restore has compared with the manifest. */
function* contentLines({ createdAt, version, schema, counts, files, amiss }: Manifest): Generator<string> {
  const rows = Object.values(counts)
  const { trials = 0, participants = 0, storedSubmissions = 0 } = counts
  yield line('backup of', `${createdAt}, made by Trialbox ${version}, schema version ${schema}`)
  yield line('content', `${trials} trials, ${participants} participants, ${storedSubmissions} submissions`)
  yield line('files', `${files.length}, each with its SHA-256`)
  for (const { name, problem } of amiss) yield line('note', `${name} ${problem} since before the backup`)
  yield line('rows', `${rows.reduce((sum, n) => sum + n, 0)} in ${rows.length} tables, as many as the manifest says`)
}

export const command: Command<ServerCall> = {
  name: 'drill',
  summary: 'try an archive: restore, verify, start and read it, print a certificate, and delete it again',
  usage: '<archive> [flags]',
  about:
    'Restores the archive into a folder beside the data directory, which itself is not touched, verifies it, starts a server in it that\nsends nothing, reads a page of every list of each study, and compares the number of rows with the manifest. Prints a dated\ncertificate, and deletes the folder; so does the next command if this one is killed. The exit code is 1 if anything failed.',
  options: [dataOption, identityOption],
  examples: [
    'trialbox drill /mnt/safe/trialbox-20260302T120000Z.tar',
    'trialbox drill /mnt/safe/trialbox-20260302T120000Z.tar.age --identity key.txt --data /srv/trialbox > drill.txt',
  ],
  words: 1,
  async run({ flags, words: [archive], env, loadProgram, print }) {
    if (archive === undefined) throw fault('This needs the archive: trialbox drill <archive>.')
    closeGate()
    const [path, began] = [resolve(archive), systemClock.now()]
    const place = { identity: flags.identity?.toString(), data: dataFolder(flags, env) }
    const problems: string[] = []
    print(line('drill', `${instantText(began)}, by Trialbox ${serviceVersion}`))
    try {
      await withRestoredArchive(path, place, async (data, manifest) => {
        const [{ hashOfFile }, { verify }, { readLists }] = await Promise.all([
          import('#writers/file'),
          import('./checks'),
          import('#server/readLists'),
        ])
        print(line('archive', `${path}, ${statSync(path).size} bytes`))
        print(line('SHA-256', hashOfFile(path)))
        for (const each of contentLines(manifest)) print(each)
        if (verify({ flags: { data }, env: {}, print }) !== 0) problems.push('the restored directory does not verify')
        const { pages, operations, faults } = await readLists(await loadProgram(), data)
        print(line('read', `${pages} pages of ${operations} kinds from a server on the restored directory`))
        problems.push(...faults)
      })
    } catch (error) {
      problems.push((error as Error).message)
    }
    for (const problem of problems) print(line('fault', problem))
    print(line('took', `${Math.ceil((systemClock.now() - began) / SECOND)} s`))
    print(line('result', problems.length ? 'FAILED: keep older backups' : 'the archive can be restored'))
    return problems.length ? 1 : 0
  },
}
