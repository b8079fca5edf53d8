/**
 * Writes a database with a small study in the newest version of the schema, to test/fixtures/databases. The tests of
 * upgrades open it. Run this once for each version of the schema that is released, and commit the files. Those of a
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
  const { version, bytes } = await freeze(folder)
  console.log(`Schema version ${version} is kept: ${Math.ceil(bytes / 1024)} KB. Commit it.`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
