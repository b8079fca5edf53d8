/** The backup of every released version is restored, upgraded, verified and exported as it was. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzleOf, migrate, openSqlite } from '#db/open'
import { newestSchema } from '#db/schemaVersion'
import { ADDED_COLUMNS, watchedTables } from '#db/watchedTables'
import { makeBackup } from '#server/backup/make'
import { restoreBackup } from '#server/backup/restore'
import { openUpgraded } from '#server/backup/upgrade'
import { readDataDirectory } from '#server/process/dataDirectory'
import { isProof } from '../proof'
import { freshFolder } from '../server/process/folder'
import { exportedFrom, frozen, frozenEverything, frozenVersions } from './frozen'
import { onLater, schemaOf, verifyAll } from './upgrade.shared'

/** The secrets of a directory, but what says which copy it is. */
function keysIn(root: string): object {
  const { copyOf: _, ...secrets } = JSON.parse(readFileSync(join(root, 'secrets'), 'utf8'))
  return secrets
}

describe('released versions', () => {
  test('are all in the repository, except the newest, whose schema may still change', () => {
    const missing = Array.from({ length: newestSchema - 1 }, (_, at) => at + 1).filter(
      (version) => !frozenVersions().includes(version),
    )
    expect(missing).toEqual([])
    expect(frozenVersions().filter((version) => version > newestSchema)).toEqual([])
  })

  // The newest is what an edit would break.
  for (const version of frozenVersions().slice(isProof ? 0 : -1)) {
    test(`version ${version} is restored, upgraded, verified, exported as it was, and backed up again`, async () => {
      const folder = freshFolder()
      const { archive, exported } = frozen(version)
      const [kept, again] = ['kept.tar', 'again.tar'].map((name) => join(folder, name)) as [string, string]
      writeFileSync(kept, archive)
      const [data, second] = ['data', 'second'].map((name) => join(folder, name)) as [string, string]
      restoreBackup(kept, data, 1, verifyAll)
      const directory = readDataDirectory(data)
      // A column that is new in a watched table must be in `ADDED_COLUMNS`, whether the backup has rows there or not.
      await onLater(new Database(directory.database, { readonly: true }), async (sqlite) => {
        const info = sqlite.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
        for (const { name, columns } of watchedTables().values()) {
          const old = info.all(name).map((column) => column.name)
          const added = ADDED_COLUMNS[name] ?? []
          if (old.length)
            expect([name, ...columns.filter((each) => !old.includes(each) && !added.includes(each))]).toEqual([name])
        }
      })
      await onLater(openUpgraded(directory.database, directory.backups), async (sqlite) => {
        verifyAll(sqlite)
        expect(await exportedFrom(drizzleOf(sqlite), folder)).toBe(exported)
        const fresh = openSqlite(':memory:')
        migrate(fresh)
        const [names, expected] = [sqlite, fresh].map((each) => schemaOf(each).map(({ name }) => name))
        expect(names).toEqual(expected!)
      })
      await makeBackup(directory, again, 2)
      restoreBackup(again, second, 2, verifyAll)
      await onLater(openSqlite(readDataDirectory(second).database), async (sqlite) =>
        expect(await exportedFrom(drizzleOf(sqlite), folder)).toBe(exported),
      )
      // The keys are the same; each restored directory is a copy of its own.
      expect(keysIn(second)).toEqual(keysIn(data))
    })

    const everything = frozenEverything(version)
    if (everything)
      test(`version ${version} with one of everything is upgraded, verified, and exported as it was`, async () => {
        const folder = freshFolder()
        const database = join(folder, 'trialbox.db')
        writeFileSync(database, everything.database)
        mkdirSync(join(folder, 'backups'))
        await onLater(openUpgraded(database, join(folder, 'backups')), async (sqlite) => {
          verifyAll(sqlite)
          expect(await exportedFrom(drizzleOf(sqlite), folder)).toBe(everything.exported)
        })
      })
  }
})
