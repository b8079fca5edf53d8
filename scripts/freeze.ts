/**
 * Keeps a small study in this program's version of the schema, under test/fixtures/databases. Run it once for each version
 * that is released, and commit what it makes; a version that was released is never made again.
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
