/** Going back after an upgrade: the old database, heads that fit, an entry in the log, and nothing lost without a word. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newestSchema } from '#db/schemaVersion'
import { banner, fromSource, runProgram, startServer } from '../program'
import { freshFolder, root as project } from '../server/process/folder'

// The clock of the study that is kept is ahead of this machine's.
const serving = (data: string) =>
  startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', data, '--accept-clock'], banner)

/** The data directory of the study that the released version before this one wrote. */
async function released(): Promise<string> {
  const stored = join(project, 'test/fixtures/databases', `${newestSchema - 1}.tar.zst`)
  const archive = join(freshFolder(), 'x.tar')
  writeFileSync(archive, Bun.zstdDecompressSync(readFileSync(stored)))
  const data = join(freshFolder(), 'data')
  mkdirSync(data)
  expect(Bun.spawnSync(['tar', '-xf', archive, '-C', data]).exitCode).toBe(0)
  rmSync(join(data, 'manifest.json'))
  return data
}

/** The same after an upgrade, and an account that was made since. */
async function upgraded(): Promise<string> {
  const data = await released()
  const server = await serving(data)
  await server.stop()
  const added = ['users', 'add', '--data', data, '--email', 'new@example.org', '--name', 'New', '--team', 'Later']
  expect((await runProgram(fromSource, ...added)).code).toBe(0)
  return data
}

const value = (path: string, sql: string) => {
  const sqlite = new Database(path, { readonly: true })
  try {
    return sqlite.query<Record<string, unknown>, []>(sql).values()
  } finally {
    sqlite.close()
  }
}
const version = (data: string) => value(join(data, 'trialbox.db'), 'PRAGMA user_version')[0]?.[0]
const roll = (data: string, ...words: string[]) => runProgram(fromSource, 'rollback', '--data', data, ...words)

/** The data is right. What follows from it may not be: the study of an older version ended later than today. */
async function expectSound(data: string) {
  const { code, out } = await runProgram(fromSource, 'verify', '--data', data)
  expect(out).not.toMatch(/^fault/m)
  expect([0, 2]).toContain(code)
}

test('it says what is lost, goes back with --yes only, and the directory serves and verifies', async () => {
  const data = await upgraded()
  const asked = await roll(data)
  expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('Nothing was changed. To go back, give --yes.')])
  expect(asked.out).toMatch(new RegExp(`^back from schema version ${newestSchema} to ${newestSchema - 1}$`, 'm'))
  expect(asked.out).toMatch(/^lost {3}\d+ entries of the audit trail, from \d{4}-\S+ on$/m)
  expect(asked.out).toMatch(/^lost {3}1 users$/m)
  expect(existsSync(join(data, 'backups', `after-${newestSchema}.db`))).toBe(false)

  const done = await roll(data, '--yes')
  expect([done.code, done.err]).toEqual([0, ''])
  expect(value(join(data, 'trialbox.db'), `SELECT count(*) FROM users WHERE email = 'new@example.org'`)).toEqual([[0]])
  const kept = join(data, 'backups', `after-${newestSchema}.db`)
  expect(value(kept, `SELECT count(*) FROM users WHERE email = 'new@example.org'`)).toEqual([[1]])
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  const [[entry] = []] = value(join(data, 'trialbox.db'), `SELECT event FROM auditEntries WHERE type = 'rollBack'`)
  expect(JSON.parse(`${entry}`)).toMatchObject({
    from: newestSchema,
    to: newestSchema - 1,
    lost: { rows: { users: 1 } },
    kept,
  })
  expect(readdirSync(data).filter((name) => name.endsWith('.part'))).toEqual([])
  await expectSound(data)
  // The heads fit: no start asks for --accept-loss.
  const server = await serving(data)
  await server.stop()
  await expectSound(data)
}, 180_000)

test('it is refused while a server runs, twice, without a copy, of a damaged copy, and of a restored copy', async () => {
  const data = await upgraded()
  const server = await serving(data)
  expect((await roll(data, '--yes')).err).toContain('is in use')
  await server.stop()
  const copy = join(data, 'backups', `before-${newestSchema}.db`)
  const bytes = readFileSync(copy)
  const spoilt = Buffer.from(bytes)
  spoilt.fill(7, 20_000, 40_000)
  writeFileSync(copy, spoilt)
  const before = readFileSync(join(data, 'trialbox.db'))
  expect((await roll(data, '--yes')).code).toBe(1)
  rmSync(copy)
  expect((await roll(data, '--yes')).err).toContain('no upgrade to schema version')
  expect(readFileSync(join(data, 'trialbox.db')).equals(before)).toBe(true)
  writeFileSync(copy, bytes)
  const secrets = readFileSync(join(data, 'secrets'), 'utf8')
  const copyOf = { address: null, madeAt: null, restoredAt: '2026-03-02T12:00:00.000000Z' }
  writeFileSync(join(data, 'secrets'), JSON.stringify({ ...JSON.parse(secrets), format: 2, copyOf }))
  expect((await roll(data, '--yes')).err).toContain('is a restored copy')
  writeFileSync(join(data, 'secrets'), secrets)
  expect((await roll(data, '--yes')).code).toBe(0)
  expect((await roll(data, '--yes')).err).toContain(`has schema version ${newestSchema - 1}`)
}, 180_000)

test('killed at any moment, it leaves a directory that is served, and can be repeated', async () => {
  const from = await upgraded()
  for (const moment of [350, 500, 600, 700]) {
    const data = join(freshFolder(), 'data')
    cpSync(from, data, { recursive: true })
    const child = Bun.spawn([...fromSource.command, 'rollback', '--yes', '--data', data], {
      ...{ cwd: fromSource.cwd, stdout: 'ignore', stderr: 'ignore' },
    })
    await Promise.race([Bun.sleep(moment), child.exited])
    child.kill('SIGKILL')
    await child.exited
    await expectSound(data)
    if (version(data) === newestSchema) expect((await roll(data, '--yes')).code).toBe(0)
    const server = await serving(data)
    await server.stop()
    expect(readdirSync(data).filter((name) => name.endsWith('.part'))).toEqual([])
  }
}, 240_000)
