/** What was entered with an earlier version of the program can be deleted and restored. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertApiKey } from '#accounts/users/apiKeys'
import { recordRemainingChanges } from '#audit/append'
import { problemsIn } from '#cli/checks'
import { drizzleOf } from '#db/open'
import { watchRows } from '#db/watch'
import { DAY, systemClock } from '#kernel/time'
import { restoreBackup } from '#server/backup/restore'
import { openUpgraded } from '#server/backup/upgrade'
import { readDataDirectory } from '#server/process/dataDirectory'
import { frozen } from '../../db/frozen'
import { verifyAll } from '../../db/upgrade.shared'
import { PASSWORD, world } from '../../harness'
import { firstOf } from '../../present'
import { freshFolder } from '../../server/process/folder'
import { allRows } from './tables'

test.each([1, 2])('a participant and a trial of version %d come back whole', async (version) => {
  const folder = freshFolder()
  const [archive, data] = [join(folder, 'kept.tar'), join(folder, 'data')]
  writeFileSync(archive, frozen(version).archive)
  restoreBackup(archive, data, 1, verifyAll)
  const directory = readDataDirectory(data)
  const sqlite = openUpgraded(directory.database, directory.backups)
  const now = systemClock.now() + DAY
  const { user, team, trial } = sqlite
    .query<{ user: string; team: string; trial: string }, []>(
      `SELECT m.user, t.team, t._id AS trial FROM trials t JOIN teamMembers m ON m.team = t.team ORDER BY length(m.permissions) DESC`,
    )
    .get()!
  const db = drizzleOf(sqlite)
  watchRows(db)
  const { key } = insertApiKey(db, { user, name: 'test', now })
  recordRemainingChanges(db, now)
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
  sqlite.close()
  const files = new Map(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(data.length + 1), readFileSync(path)]),
  )
  const w = world({}, { files, now, count: 0, team, owner: { _id: user, key } })
  const { email } = await w.owner.do('readOwnUser')
  const admin = await w.signIn({ _id: user, email })
  await admin.do('confirmIdentity', { password: PASSWORD })
  const { _id } = w.db.$client
    .query<{ _id: string }, [string]>(
      `SELECT _id FROM participants p WHERE trial = ? AND _id NOT IN (SELECT participant FROM allocations)
         AND _id NOT IN (SELECT participant FROM packEvents WHERE participant IS NOT NULL) ORDER BY responseCount DESC`,
    )
    .get(trial)!
  w.service.flush()
  const before = allRows(w.db, ['users', 'apiKeys', 'jobs'])
  const reason = 'By mistake'
  await w.owner.do('deleteParticipant', trial, _id, { reason })
  expect(allRows(w.db).participants!.length).toBe(before.participants!.length - 1)
  const kept = firstOf((await w.owner.do('listDeletions', trial)).deletions)
  await admin.do('restoreDeletion', trial, kept._id, { reason })
  w.service.flush()
  expect(allRows(w.db, ['users', 'apiKeys', 'jobs'])).toEqual(before)
  expect(problemsIn(w.db.$client)).toEqual([])
  await w.owner.do('deleteTrial', trial)
  await admin.do('restoreTrial', trial, { reason })
  w.service.flush()
  expect(problemsIn(w.db.$client)).toEqual([])
})
