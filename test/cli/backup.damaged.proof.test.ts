/** Damaged archives and databases: a backup says that it would not be restored, and a restore brings back what is left. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordRemainingChanges } from '#audit/append'
import { command as backup } from '#cli/backup'
import { command as restore } from '#cli/restore'
import { command as verify } from '#cli/verify'
import { drizzleOf, openSqlite } from '#db/open'
import { watchRows } from '#db/watch'
import { uploadName } from '#server/backup/archive'
import { openDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'
import { insertTrial } from '../trial'
import { backedUp, call, contentOf, directory, restored } from './backup.study'

/** A directory with so many rows that its database has many pages. */
function filled(sizes?: number[]) {
  const made = directory(sizes)
  const sqlite = openSqlite(made.directory.database)
  const db = drizzleOf(sqlite)
  watchRows(db)
  const trial = insertTrial(db, made.team, 1)
  const insert = sqlite.query('INSERT INTO groups (_id, createdAt, trial, name) VALUES ($_id, 1, $trial, $name)')
  sqlite.transaction(() => {
    for (let n = 0; n < 2_000; n++) insert.run({ _id: `${n}`.padStart(24, '0'), trial, name: `Group ${n} `.repeat(5) })
    recordRemainingChanges(db, 1)
  })()
  sqlite.run('PRAGMA wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return { ...made, trial }
}

/** Restores what is left. Returns the exit code, the lines and the directory. */
async function salvaged(archive: string, data = join(freshFolder(), 'data')) {
  const { lines, call: made } = call({ data, damaged: true }, [archive])
  const code = await restore.run(made)
  return { code, data, lines, faults: lines.filter((line) => line.startsWith('fault')) }
}

const verified = (data: string) => verify.run(call({ data }).call)
const groupsIn = (data: string): number => {
  const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
  const { n } = sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM groups').get()!
  sqlite.close()
  return n
}

/** The archive of a directory, changed. */
async function spoiled(root: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const { archive } = await backedUp(root)
  const path = join(freshFolder(), 'spoiled.tar')
  writeFileSync(path, change(readFileSync(archive)))
  return path
}

const overwritten = (bytes: Buffer, at: number, length: number) => {
  bytes.fill(0xa5, at, at + length)
  return bytes
}
/** The size of the database that begins there. */
const sizeIn = (bytes: Buffer, at: number) => bytes.readUInt32BE(at + 28) * 4096
const databaseAt = (bytes: Buffer) => bytes.indexOf('SQLite format 3\0')

test('of an intact archive everything is brought back, and nothing is listed', async () => {
  const { root } = filled()
  const { archive } = await backedUp(root)
  const { code, data, faults, lines } = await salvaged(archive)
  expect([code, faults]).toEqual([0, []])
  expect(lines.at(-1)).toContain('--go-live')
  expect(contentOf(data)).toEqual(contentOf(root))
  expect(await verified(data)).toBe(0)
})

test('an upload that is not what was kept is put aside and listed', async () => {
  const { root, uploads } = filled()
  const broken = uploads[4]!
  const archive = await spoiled(root, (bytes) => overwritten(bytes, bytes.indexOf(Buffer.alloc(513, 5)), 1))
  await expect(restored(archive)).rejects.toThrow('is not what was kept')
  const { code, data, faults } = await salvaged(archive)
  expect(code).toBe(1)
  expect(faults).toEqual([`fault  ${uploadName(broken.storedName)} is not what was kept; it is in the folder damaged`])
  expect(readdirSync(join(data, 'damaged'))).toEqual([broken.storedName])
  expect(contentOf(data)).toEqual(contentOf(root))
})

test('damaged pages of the database cost their rows and no others', async () => {
  const { root } = filled()
  const archive = await spoiled(root, (bytes) => {
    const name = bytes.indexOf('Group 700 ')
    return overwritten(bytes, name - ((name - databaseAt(bytes)) % 4096), 4096)
  })
  const { code, data, lines } = await salvaged(archive)
  expect(code).toBe(1)
  expect(lines.join('\n')).toMatch(/^fault {2}the database file is damaged .+ was rebuilt from its readable rows$/m)
  expect(lines.join('\n')).toMatch(/^fault {2}groups: \d+ of 2000 rows could be read$/m)
  expect(groupsIn(data)).toBeGreaterThan(1_900)
  expect(groupsIn(data)).toBeLessThan(2_000)
  openDataDirectory(data).lock.release()
  const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
  expect(sqlite.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  sqlite.close()
})

test('a damaged page of the schema, the first one included, costs no row', async () => {
  const { root } = filled([])
  const { archive } = await backedUp(root)
  const bytes = readFileSync(archive)
  const database = databaseAt(bytes)
  const sqlite = Database.deserialize(bytes.subarray(database, database + sizeIn(bytes, database)))
  const all = sqlite.query<{ root: number }, []>('SELECT rootpage AS root FROM sqlite_schema WHERE rootpage > 0').all()
  const roots = new Set(all.map(({ root }) => root))
  sqlite.close()
  const pages = Array.from({ length: Math.max(...roots) }, (_, at) => at + 1).filter((page) => !roots.has(page))
  expect(pages.length).toBeGreaterThan(3)
  for (const page of [1, pages[1]!, pages.at(-1)!]) {
    const spoiledPage = overwritten(Buffer.from(bytes), database + (page - 1) * 4096, 4096)
    const path = join(freshFolder(), 'spoiled.tar')
    writeFileSync(path, spoiledPage)
    const { data, faults } = await salvaged(path)
    expect(faults.join('\n')).toContain('was rebuilt from its readable rows')
    expect(faults).toHaveLength(2)
    expect(contentOf(data)).toEqual(contentOf(root))
    expect(await verified(data)).toBe(0)
  }
})

test.each([0.3, 0.6, 0.9])(
  'of an archive that was cut off within the database, what came before is brought back',
  async (part) => {
    const { root } = filled([])
    const archive = await spoiled(root, (bytes) => {
      const size = bytes.length - databaseAt(bytes)
      return bytes.subarray(0, databaseAt(bytes) + Math.floor(size * part))
    })
    const { code, lines } = await salvaged(archive)
    expect(code).toBe(1)
    expect(lines.join('\n')).not.toContain('does not belong')
    expect(lines.join('\n')).toContain('trialbox.db is cut short')
    expect(lines.join('\n')).toContain('the manifest cannot be read')
  },
)

describe('the secrets', () => {
  test('lost ones are replaced, and this is said', async () => {
    const { root } = filled([])
    const archive = await spoiled(root, (bytes) => overwritten(bytes, 0, 512))
    const { code, data, lines } = await salvaged(archive)
    expect(code).toBe(1)
    expect(lines.join('\n')).toContain('the secrets are lost and new ones were made')
    expect(contentOf(data)).toEqual(contentOf(root))
    openDataDirectory(data).lock.release()
  })
})

test('without a database nothing is brought back, and nothing is left behind', async () => {
  const { root } = filled([])
  const archive = await spoiled(root, (bytes) => bytes.subarray(0, 1024))
  const folder = freshFolder()
  await expect(salvaged(archive, join(folder, 'data'))).rejects.toThrow('No database is left in this archive')
  expect(readdirSync(folder)).toEqual([])
})

test('a header that is lost does not hide the database', async () => {
  const { root } = filled([])
  const archive = await spoiled(root, (bytes) => overwritten(bytes, databaseAt(bytes) - 512, 512))
  const { data } = await salvaged(archive)
  expect(contentOf(data)).toEqual(contentOf(root))
})

test('whatever byte is changed, what is restored is whole or listed', async () => {
  const { root } = filled([0, 300, 70_000])
  const { archive } = await backedUp(root)
  const bytes = readFileSync(archive)
  const content = contentOf(root)
  for (let n = 0; n < 16; n++) {
    const at = Math.floor((bytes.length - 1) * ((n * 0.618_033_988_7) % 1))
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1 << (n % 8)
    const path = join(freshFolder(), 'flipped.tar')
    writeFileSync(path, changed)
    const folder = freshFolder()
    const result = await salvaged(path, join(folder, 'data')).catch((error: Error) => error)
    if (result instanceof Error) {
      expect([result.name, readdirSync(folder)]).toEqual(['Fault', []])
      continue
    }
    expect(readdirSync(folder)).toEqual(['data'])
    if (!result.faults.length) expect(contentOf(result.data)).toEqual(content)
  }
})

test('text that is not well-formed Unicode: the backup says that it would be refused, and what is left has everything', async () => {
  const { root, trial } = filled([])
  const sqlite = new Database(join(root, 'trialbox.db'))
  sqlite
    .query(
      `UPDATE groups SET name = CAST(x'41eda080' AS TEXT) WHERE _id = (SELECT max(_id) FROM groups WHERE trial = ?)`,
    )
    .run(trial)
  sqlite.close()
  const out = freshFolder()
  const { lines, call: made } = call({ data: root, out })
  await expect(backup.run(made)).rejects.toThrow('refuses it, and so it is named')
  expect(lines.join('\n')).toMatch(/^fault {2}rows: row \d{24} of groups is not what entry/m)
  const [name] = readdirSync(out)
  expect(name).toEndWith('.damaged.tar')
  const archive = join(out, name!)
  await expect(restored(archive)).rejects.toThrow('cannot be restored, rows')
  const { code, data, faults } = await salvaged(archive)
  expect(code).toBe(1)
  expect(faults).toHaveLength(1)
  expect(groupsIn(data)).toBe(2_000)
})

test('the file of settings is in the backup', async () => {
  const { root } = filled([])
  writeFileSync(join(root, 'trialbox.conf'), '# settings\nport = 8444\n', { mode: 0o600 })
  const { data } = await restored((await backedUp(root)).archive)
  expect(readFileSync(join(data, 'trialbox.conf'), 'utf8')).toBe('# settings\nport = 8444\n')
  const there = freshFolder()
  mkdirSync(join(there, 'data'))
  await restored((await backedUp(root)).archive, join(there, 'data'))
  expect(existsSync(join(there, 'data', 'trialbox.conf'))).toBe(true)
})
