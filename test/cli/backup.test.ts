import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { countRows } from '#db/file'
import { sha256 } from '#kernel/id'
import { contentOf as lineAbout } from '#server/backup/manifest'
import { openDataDirectory } from '#server/process/dataDirectory'
import { uploadPath } from '#storage/names'
import { ask, banner, firstKey, fromSource, runProgram, startServer } from '../program'
import { proof } from '../proof'
import { freshFolder } from '../server/process/folder'
import { study } from '../study'
import { backedUp, call, contentOf, directory, restored } from './backup.study'

test('a restore brings back rows, finished uploads, certificate and secrets, readable by this user only', async () => {
  const { root, directory: from, uploads } = directory()
  const { archive, lines } = await backedUp(root)
  expect(lines.join('\n')).toContain(sha256(readFileSync(archive)))
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(archive, '..'))).toHaveLength(1) // no temporary files

  const { data } = await restored(archive)
  expect(contentOf(data)).toEqual(contentOf(root))
  for (const { storedName, bytes, isFinished } of uploads) {
    const path = uploadPath(join(data, 'files'), storedName)
    expect(existsSync(path)).toBe(isFinished)
    if (isFinished) expect(readFileSync(path).equals(bytes)).toBe(true)
  }
  const secretIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'secrets'), 'utf8')).secret
  expect(secretIn(data)).toBe(secretIn(root))
  for (const name of ['secrets', 'tls/cert.pem', 'tls/key.pem']) {
    if (name !== 'secrets') expect(readFileSync(join(data, name), 'utf8')).toBe(readFileSync(join(root, name), 'utf8'))
    expect(statSync(join(data, name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(data).mode & 0o777).toBe(0o700)
  const { directory: to, lock } = openDataDirectory(data) // ready to be served
  expect(to.keysFor('storage')).toEqual(from.keysFor('storage'))
  lock.release()
  const trail = new Database(join(data, 'trialbox.db'), { readonly: true })
  expect(
    trail.query(`SELECT type FROM auditEntries WHERE chain = 'service' ORDER BY number`).values().flat(),
  ).toContain('restoreBackup')
  trail.close()
})

test('without --out the archive goes into backups/, which the next backup leaves out', async () => {
  const { root } = directory([10])
  const { lines, call: made } = call({ data: root })
  await backup.run(made)
  expect(lines[0]).toStartWith(join(root, 'backups/trialbox-'))
  const { archive } = await backedUp(root)
  // The second manifest counts one more entry: that of the first backup.
  expect(statSync(archive).size - statSync(lines[0]!).size).toBeLessThanOrEqual(512)
})

test('it restores into an existing empty directory, such as a mounted disk', async () => {
  const { root } = directory()
  const { archive } = await backedUp(root)
  const data = freshFolder()
  await restored(archive, data)
  expect(readdirSync(data).sort()).toEqual(['files', 'heads', 'secrets', 'tls', 'trialbox.db'])
  expect(contentOf(data)).toEqual(contentOf(root))
})

test('the program tar reads it', async () => {
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
  ])('%s: reported, and everything else is backed up', async (problem, spoil) => {
    const { root, uploads } = directory()
    spoil(uploads[2]!.path)
    const { lines, call: made } = call({ data: root, out: freshFolder() })
    await expect(backup.run(made)).rejects.toThrow('1 uploads could not be kept as they were')
    expect(lines.at(-1)).toMatch(new RegExp(`^fault  files/.*${uploads[2]!.storedName} ${problem}$`))
    const { data } = await restored(lines[0]!)
    expect(contentOf(data)).toEqual(contentOf(root))
  })
})

proof(
  'a backup during many writes has every write that was confirmed before, and the restored server works',
  async () => {
    const data = join(freshFolder(), 'data')
    const serving = (folder: string) =>
      startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', folder], banner)
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
    expect(await runProgram(fromSource, 'backup', '--data', data, '--out', archive)).toMatchObject({ code: 0, err: '' })
    isOver = true
    await Promise.all(writers)
    expect(written.length).toBeGreaterThan(answered.length)
    expect((await server.stop()).code).toBe(0)
    expect((await runProgram(fromSource, 'verify', '--data', data)).code).toBe(0)

    const elsewhere = join(freshFolder(), 'elsewhere')
    expect(await runProgram(fromSource, 'restore', archive, '--data', elsewhere, '--keep-keys')).toMatchObject({
      code: 0,
      err: '',
    })
    expect((await runProgram(fromSource, 'verify', '--data', elsewhere)).code).toBe(0)
    const again = await serving(elsewhere)
    const found = (await ask(`${again.found.url}/trials/${trial}/groups`, { key })).body.groups
    const there = new Set(found.map(({ _id }: { _id: string }) => _id))
    expect(answered.filter((_id) => !there.has(_id))).toEqual([])
    expect((await again.stop()).code).toBe(0)
  },
  180_000,
)

test('the line about the content of a backup counts what is in the database', async () => {
  const s = await study()
  for (const pulse of [60, 61]) await s.enter({ pulse })
  expect(lineAbout({ counts: countRows(s.db.$client), files: [] })).toBe(
    '1 trials, 3 participants, 2 submissions, 0 files',
  )
})

proof('a directory of the version before is backed up by this program, before a server upgrades it', async () => {
  const { openSqlite } = await import('#db/open')
  const { migrations } = await import('#db/migrations/list')
  const { root, directory: of } = directory([5])
  rmSync(of.database)
  const sqlite = openSqlite(of.database)
  for (const { sql } of migrations.slice(0, 2)) sqlite.run(sql)
  sqlite.run('PRAGMA user_version = 2')
  sqlite.close()
  const { archive } = await backedUp(root)
  expect(schemaIn((await restored(archive)).data)).toBe(migrations.length)
  expect(schemaIn(root)).toBe(2)
})

const schemaIn = (root: string): number => {
  const sqlite = new Database(join(root, 'trialbox.db'), { readonly: true })
  try {
    return sqlite.query<{ user_version: number }, []>('PRAGMA user_version').get()!.user_version
  } finally {
    sqlite.close()
  }
}
