/** A data directory, and its backup. */
import { Database } from 'bun:sqlite'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertOwner } from '#accounts/users/owner'
import { recordRemainingChanges } from '#audit/append'
import { command as backup } from '#cli/backup'
import { command as restore } from '#cli/restore'
import { drizzleOf } from '#db/open'
import { watchRows } from '#db/watch'
import { sha256 } from '#kernel/id'
import { openDataDirectory } from '#server/process/dataDirectory'
import { newStoredName, uploadPath } from '#storage/names'
import { insertFile } from '#storage/store'
import { openNew } from '../newDatabase'
import { freshFolder } from '../server/process/folder'

export const call = (flags: Record<string, string | true>, words: string[] = []) => {
  const lines: string[] = []
  return { lines, call: { flags, words, env: {}, print: (line: string) => void lines.push(line) } }
}

export async function backedUp(data: string, out = freshFolder()) {
  const { lines, call: made } = call({ data, out })
  await backup.run(made)
  return { archive: lines[0]!, lines }
}

export async function restored(archive: string, data = join(freshFolder(), 'data')) {
  const { lines, call: made } = call({ data }, [archive])
  await restore.run(made)
  return { data, lines }
}

/** A data directory with an owner and some uploads, one of them unfinished. */
export function directory(sizes = [0, 1, 511, 512, 513, 3_000_000]) {
  const root = join(freshFolder(), 'data')
  const { directory, lock } = openDataDirectory(root)
  writeFileSync(join(directory.tls, 'cert.pem'), 'certificate')
  writeFileSync(join(directory.tls, 'key.pem'), 'key', { mode: 0o600 })
  const sqlite = openNew(directory.database)
  const db = drizzleOf(sqlite)
  watchRows(db)
  const { team, user } = insertOwner(db, { email: 'o@example.org', name: 'O', team: 'T', passwordHash: null, now: 1 })
  const uploads = [...sizes, 99].map((size, at) => {
    const storedName = newStoredName(`scan ${at}.png`, 1)
    const bytes = Buffer.alloc(size, at + 1)
    const path = uploadPath(directory.files, storedName)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, bytes)
    const finishedAt = at < sizes.length ? 2 : null
    const about = { forType: 'team' as const, forId: team, createdBy: user, name: 'scan.png', type: 'image/png' }
    insertFile(db, { storedName, createdAt: 1, kind: 'upload', ...about, size, sha256: sha256(bytes), finishedAt })
    return { storedName, path, bytes, isFinished: finishedAt !== null }
  })
  recordRemainingChanges(db, 1)
  sqlite.close()
  lock.release()
  return { root, directory, uploads, team, user }
}

/** All rows of a database except the entries that backups and restores add. */
export function contentOf(root: string) {
  const sqlite = new Database(join(root, 'trialbox.db'), { readonly: true })
  const tables = sqlite.query(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).values().flat()
  const rows = tables.map((table) => {
    // Each backup and each restore adds an entry to the log of the service.
    const which =
      { auditEntries: `WHERE type NOT IN ('createBackup', 'restoreBackup')`, auditHeads: `WHERE chain <> 'service'` }[
        `${table}`
      ] ?? ''
    return [table, sqlite.query(`SELECT * FROM "${table}" ${which}`).values()]
  })
  sqlite.close()
  return rows
}

/** What a restore changes (docs/backup.md, "What comes back"): sessions end, keys are suspended, and what caches hold of both is read anew. */
const RESTORED = `UPDATE apiKeys SET suspendedAt = NULL; DELETE FROM sessions; DELETE FROM participantTokens;
  DELETE FROM cacheVersions WHERE name = 'access'`

/** All rows of a database as `contentOf` says, except what a restore changes. It looks at a copy. */
export function contentAfterRestore(root: string) {
  const folder = freshFolder()
  const copy = join(folder, 'trialbox.db')
  const sqlite = new Database(join(root, 'trialbox.db'), { readonly: true })
  sqlite.query('VACUUM INTO $copy').run({ $copy: copy })
  sqlite.close()
  const changed = new Database(copy)
  for (const { name } of changed
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
    .all())
    changed.run(`DROP TRIGGER "${name}"`)
  changed.run(RESTORED)
  changed.close()
  return contentOf(folder)
}
