import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwner } from '#accounts/users/owner'
import { command as backup } from '#cli/backup'
import { command as restore } from '#cli/restore'
import { drizzleOf, migrate, openSqlite } from '#db/open'
import { sha256 } from '#kernel/id'
import { openDataDirectory } from '#server/process/dataDirectory'
import { newStoredName, uploadPath } from '#storage/names'
import { insertFile } from '#storage/store'
import { ask, bannered, firstKey, fromSource, ran, running } from '../program'
import { freshFolder } from '../server/process/folder'

const call = (flags: Record<string, string | true>, words: string[] = []) => {
  const lines: string[] = []
  return { lines, call: { flags, words, env: {}, print: (line: string) => void lines.push(line) } }
}

async function backedUp(data: string, out = freshFolder()) {
  const { lines, call: made } = call({ data, out })
  await backup.run(made)
  return { archive: lines[0]!, lines }
}

async function restored(archive: string, data = join(freshFolder(), 'data')) {
  const { lines, call: made } = call({ data }, [archive])
  await restore.run(made)
  return { data, lines }
}

/** A data directory with an owner and some uploads, of which one is not finished. */
function directory(sizes = [0, 1, 511, 512, 513, 3_000_000]) {
  const root = join(freshFolder(), 'data')
  const { directory, lock } = openDataDirectory(root)
  writeFileSync(join(directory.tls, 'cert.pem'), 'certificate')
  writeFileSync(join(directory.tls, 'key.pem'), 'key', { mode: 0o600 })
  const sqlite = openSqlite(directory.database)
  migrate(sqlite)
  const db = drizzleOf(sqlite)
  const { team, user } = makeOwner(db, { email: 'o@example.org', name: 'O', team: 'T', passwordHash: null, now: 1 })
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
  sqlite.close()
  lock.release()
  return { root, directory, uploads, team, user }
}

/** All that two databases hold, but for the entries that a backup and a restore leave. */
function contentOf(root: string) {
  const sqlite = new Database(join(root, 'trialbox.db'), { readonly: true })
  const tables = sqlite.query(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).values().flat()
  const rows = tables.map((table) => {
    // Each backup and each restoring leaves an entry in the service’s log.
    const which =
      { auditEntries: `WHERE type NOT IN ('createBackup', 'restoreBackup')`, auditHeads: `WHERE chain <> 'service'` }[
        `${table}`
      ] ?? ''
    return [table, sqlite.query(`SELECT * FROM "${table}" ${which}`).values()]
  })
  sqlite.close()
  return rows
}

test('what is restored is what was there: rows, finished uploads, certificate and secrets, for this user only', async () => {
  const { root, directory: from, uploads } = directory()
  const { archive, lines } = await backedUp(root)
  expect(lines.join('\n')).toContain(sha256(readFileSync(archive)))
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(archive, '..'))).toHaveLength(1) // nothing half-made beside it

  const { data } = await restored(archive)
  expect(contentOf(data)).toEqual(contentOf(root))
  for (const { storedName, bytes, isFinished } of uploads) {
    const path = uploadPath(join(data, 'files'), storedName)
    expect(existsSync(path)).toBe(isFinished)
    if (isFinished) expect(readFileSync(path).equals(bytes)).toBe(true)
  }
  for (const name of ['secrets', 'tls/cert.pem', 'tls/key.pem']) {
    expect(readFileSync(join(data, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
    expect(statSync(join(data, name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(data).mode & 0o777).toBe(0o700)
  const { directory: to, lock } = openDataDirectory(data) // ready to be served
  expect(to.keyFor('storage').equals(from.keyFor('storage'))).toBe(true)
  lock.release()
  const trail = new Database(join(data, 'trialbox.db'), { readonly: true })
  expect(
    trail.query(`SELECT type FROM auditEntries WHERE chain = 'service' ORDER BY number`).values().flat(),
  ).toContain('restoreBackup')
  trail.close()
})

test('without --out it goes into backups/, which is no part of the next', async () => {
  const { root } = directory([10])
  const { lines, call: made } = call({ data: root })
  await backup.run(made)
  expect(lines[0]).toStartWith(join(root, 'backups/trialbox-'))
  const { archive } = await backedUp(root)
  // Its manifest tells of one entry more: that of the first backup.
  expect(statSync(archive).size - statSync(lines[0]!).size).toBeLessThanOrEqual(512)
})

test('it restores into an empty directory that is there, such as a disk of its own', async () => {
  const { root } = directory()
  const { archive } = await backedUp(root)
  const data = freshFolder()
  await restored(archive, data)
  expect(readdirSync(data).sort()).toEqual(['files', 'secrets', 'tls', 'trialbox.db'])
  expect(contentOf(data)).toEqual(contentOf(root))
})

test('a tar program reads it', async () => {
  const { root, uploads } = directory()
  const { archive } = await backedUp(root)
  const folder = freshFolder()
  const { exitCode, stderr } = Bun.spawnSync(['tar', '-xf', archive, '-C', folder])
  expect({ exitCode, said: stderr.toString() }).toEqual({ exitCode: 0, said: '' })
  for (const { storedName, bytes } of uploads.filter(({ isFinished }) => isFinished))
    expect(readFileSync(uploadPath(join(folder, 'files'), storedName)).equals(bytes)).toBe(true)
})

describe('an upload that is missing or was changed on the disk', () => {
  test.each<[string, (path: string) => void]>([
    ['is missing', (path) => rmSync(path)],
    ['is not what was uploaded', (path) => writeFileSync(path, 'else')],
  ])('%s: told, and all the rest is kept', async (problem, spoil) => {
    const { root, uploads } = directory()
    spoil(uploads[2]!.path)
    const { lines, call: made } = call({ data: root, out: freshFolder() })
    await expect(backup.run(made)).rejects.toThrow('1 uploads could not be kept as they were')
    expect(lines.at(-1)).toMatch(new RegExp(`^fault  files/.*${uploads[2]!.storedName} ${problem}$`))
    const { data } = await restored(lines[0]!)
    expect(contentOf(data)).toEqual(contentOf(root))
  })
})

describe('what is refused leaves nothing behind', () => {
  const changes: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ['a byte of the database', (bytes) => flip(bytes, bytes.indexOf('SQLite format 3') + 5000), /damaged|not what/],
    ['a byte of an upload', (bytes) => flip(bytes, bytes.indexOf(Buffer.alloc(513, 5)) + 100), /is not what was kept/],
    ['a byte of the secrets', (bytes) => flip(bytes, 512 + 60), /damaged/],
    ['a byte of the manifest', (bytes) => flip(bytes, bytes.lastIndexOf('"schema"') + 3), /damaged/],
    ['a byte of a name', (bytes) => flip(bytes, bytes.lastIndexOf('files/') + 2), /damaged/],
    ['its end', (bytes) => bytes.subarray(0, bytes.length - 2000), /cut short/],
    ['its second half', (bytes) => bytes.subarray(0, bytes.length >> 1), /cut short/],
    ['all of it', (bytes) => Buffer.alloc(bytes.length, 'no backup'), /is no backup/],
    ['everything after a name', (bytes) => bytes.subarray(0, 512), /cut short/],
    ['another file at its front', (bytes) => Buffer.concat([named('evil', 'x'), bytes]), /holds "evil"/],
    ['a way out of the folder', (bytes) => Buffer.concat([named('../evil', 'x'), bytes]), /holds "\.\.\/evil"/],
    ['the secrets twice', (bytes) => Buffer.concat([bytes.subarray(0, 1024), bytes]), /holds "secrets"/],
  ]
  function flip(bytes: Buffer, at: number): Buffer {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    return changed
  }
  /** An entry that tar itself makes. */
  function named(name: string, content: string): Buffer {
    const folder = freshFolder()
    mkdirSync(join(folder, 'in'))
    writeFileSync(join(folder, name.replace('../', '')), content)
    const tar = Bun.spawnSync(['tar', '--format=ustar', '-P', '-cf', '-', name], {
      cwd: join(folder, name.startsWith('..') ? 'in' : '.'),
    })
    return Buffer.from(tar.stdout.subarray(0, 1024))
  }
  test.each(changes)('%s changed', async (_what, change, says) => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    writeFileSync(archive, change(readFileSync(archive)))
    const folder = freshFolder()
    const error = await restored(archive, join(folder, 'data')).catch((error) => error as Error)
    expect((error as Error).name).toBe('Fault')
    expect((error as Error).message).toMatch(says)
    expect(readdirSync(folder)).toEqual([])
    const there = join(folder, 'there')
    mkdirSync(there)
    expect(await restored(archive, there).then(Boolean, () => false)).toBe(false)
    expect(readdirSync(there)).toEqual([])
  })

  test('an entry of the trail that was changed, though the archive is whole', async () => {
    const { root } = directory()
    const sqlite = new Database(join(root, 'trialbox.db'))
    const entry = { chain: 'service', createdAt: 1, type: 'test', userType: 'system' as const, event: {} }
    const { appendEntry: append } = await import('#audit/append')
    append(drizzleOf(sqlite), entry)
    sqlite.run(`DROP TRIGGER auditIsNotChanged; UPDATE auditEntries SET event = '{"n":1}' WHERE type = 'test'`)
    sqlite.close()
    const { archive } = await backedUp(root)
    await expect(restored(archive)).rejects.toThrow(
      /^The backup cannot be restored, audit trail: entry 1 of chain service/,
    )
  })

  test('a directory with anything in it, and one in use', async () => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    const before = contentOf(root)
    await expect(restored(archive, root)).rejects.toThrow('is not empty')
    const { lock } = openDataDirectory(root)
    await expect(restored(archive, root)).rejects.toThrow('is in use by a running Trialbox')
    lock.release()
    expect(contentOf(root)).toEqual(before)
  })

  test('a backup is never written over', async () => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    const bytes = readFileSync(archive)
    await expect(backup.run(call({ data: root, out: archive }).call)).rejects.toThrow('never written over')
    expect(readFileSync(archive).equals(bytes)).toBe(true)
  })
})

test('taken under a load of writes, it holds every write that was answered before, and the restored server runs on', async () => {
  const data = join(freshFolder(), 'data')
  const serving = (folder: string) => running(fromSource, ['--tls', 'off', '--port', '0', '--data', folder], bannered)
  const server = await serving(data)
  const { url, setup } = server.found
  const { key, team } = await firstKey(url, setup!)
  const trial = (await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Trial' } })).body._id
  const written: string[] = []
  let isOver = false
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let n = 0; !isOver; n++) {
      const body = { name: `Group ${writer}-${n}` }
      const made = await ask(`${url}/trials/${trial}/groups`, { method: 'POST', key, body })
      if (made.status !== 200) throw new Error(made.text)
      written.push(made.body._id)
    }
  })
  while (written.length < 200) await Bun.sleep(5)
  const answered = [...written]
  const archive = join(freshFolder(), 'under-load.tar')
  expect(await ran(fromSource, 'backup', '--data', data, '--out', archive)).toMatchObject({ code: 0, err: '' })
  isOver = true
  await Promise.all(writers)
  expect(written.length).toBeGreaterThan(answered.length)
  expect((await server.stop()).code).toBe(0)
  expect((await ran(fromSource, 'verify', '--data', data)).code).toBe(0)

  const elsewhere = join(freshFolder(), 'elsewhere')
  expect(await ran(fromSource, 'restore', archive, '--data', elsewhere)).toMatchObject({ code: 0, err: '' })
  expect((await ran(fromSource, 'verify', '--data', elsewhere)).code).toBe(0)
  const again = await serving(elsewhere)
  const found = (await ask(`${again.found.url}/trials/${trial}/groups`, { key })).body.groups
  const there = new Set(found.map(({ _id }: { _id: string }) => _id))
  expect(answered.filter((_id) => !there.has(_id))).toEqual([])
  expect((await again.stop()).code).toBe(0)
}, 90_000)
