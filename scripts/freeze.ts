/**
 * Writes a backup of a small study, and a database with one of everything, in the newest version of the schema, to
 * test/fixtures/databases. The tests of upgrades open them. Run this once for each version of the schema that is released, and commit the files. Those of a
 * released version are never written again.
 *
 *   bun scripts/freeze.ts
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newestSchema } from '#db/schemaVersion'
import { freeze, frozenVersions } from '../test/db/frozen'

if (frozenVersions().includes(newestSchema)) {
  console.error(`Schema version ${newestSchema} is kept already. If it was never released, delete its files first.`)
  process.exit(2)
}
mkdirSync(join(import.meta.dir, '../test/fixtures/databases'), { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'trialbox-freeze-'))
try {
  const everything = join(folder, 'everything.db')
  // The world of the tests is made by the test runner only.
  const { success } = Bun.spawnSync([process.execPath, 'test', './test/db/everything.write.ts'], {
    cwd: join(import.meta.dir, '..'),
    env: { ...process.env, TRIALBOX_EVERYTHING: everything },
    stderr: 'inherit',
  })
  if (!success) throw new Error('The database with one of everything was not written.')
  const { version, bytes } = await freeze(folder, everything)
  console.log(`Schema version ${version} is kept: ${Math.ceil(bytes / 1024)} KB. Commit it.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
