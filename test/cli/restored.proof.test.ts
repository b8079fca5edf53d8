/** What a restored directory does: it ends sessions, suspends keys, sends nothing until it goes live, and leaves nothing behind. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterFile } from '../afterFile'
import { ask, banner, firstKey, fromSource, runProgram, startServer } from '../program'
import { freshFolder } from '../server/process/folder'
import { until } from '../until'
import { backedUp, directory } from './backup.study'
import { insertToOutbox } from './outboxRow'

/** Starts a server, whose banner may name another address than that on which it listens. */
const serving = (data: string, ...words: string[]) =>
  startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', data, ...words], (out) => {
    const port = /started port=(\d+)/.exec(out)?.[1]
    return port === undefined ? undefined : { url: `http://127.0.0.1:${port}`, setup: banner(out)?.setup }
  })

/** A mail server that counts connections, and gateways that count requests. */
function outside() {
  let count = 0
  const smtp = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open: () => void count++, data() {} } })
  const http = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(`{"id":${++count}}`) })
  afterFile(() => {
    smtp.stop(true)
    void http.stop(true)
  })
  const settings = [
    'public-url = https://study.example.org',
    `smtp-url = smtp://127.0.0.1:${smtp.port}`,
    'mail-from = Study <study@example.org>',
    `sms-url = http://127.0.0.1:${http.port}/sms`,
    `ai-url = http://127.0.0.1:${http.port}/v1`,
    'ai-model = m',
  ]
  return { settings: `${settings.join('\n')}\n`, count: () => count }
}

/** A server with an account, a key, a session, and an e-mail that waits; and its backup. */
async function backedUpServer() {
  const data = join(freshFolder(), 'data')
  const server = await serving(data)
  const { url, setup } = server.found
  const { key, team } = await firstKey(url, setup!)
  await server.stop()
  const waiting = insertToOutbox(join(data, 'trialbox.db'))
  const { settings, count } = outside()
  writeFileSync(join(data, 'trialbox.conf'), settings)
  const out = freshFolder()
  const archive = join(out, 'kept.tar')
  expect(await runProgram(fromSource, 'backup', '--data', data, '--out', archive)).toMatchObject({ code: 0 })
  return { data, archive, key, team, waiting, count }
}

const rows = <T>(data: string, sql: string): T[] => {
  const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
  try {
    return sqlite.query<T, []>(sql).all()
  } finally {
    sqlite.close()
  }
}

test('a restored copy lists what works again, refuses keys and sessions, sends nothing, and verifies', async () => {
  const { archive, key, team, waiting, count } = await backedUpServer()
  const data = join(freshFolder(), 'copy')
  const { code, out, err } = await runProgram(fromSource, 'restore', archive, '--data', data)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^ended {2}1 sessions of staff and 0 of participants: everybody signs in again$/m)
  expect(out).toMatch(/^account olga@example\.org \(Olga\) can sign in/m)
  expect(out).toContain(`key    ${key.slice(0, 8)}… “`)
  expect(out).toContain('is refused until it is confirmed')
  expect(out).toContain('--go-live')
  expect(rows(data, 'SELECT * FROM sessions')).toEqual([])
  const [entry] = rows<{ event: string }>(data, `SELECT event FROM auditEntries WHERE type = 'restoreBackup'`)
  expect(JSON.parse(entry!.event)).toMatchObject({
    ...{ endedSessions: { staff: 1, participants: 0 }, accounts: 1, areKeysSuspended: true },
    keys: [{ prefix: key.slice(0, 8) }],
  })
  expect((await runProgram(fromSource, 'verify', '--data', data)).code).toBe(0)

  const copy = await serving(data)
  const refused = await ask(`${copy.found.url}/users/me`, { key })
  expect([refused.status, refused.headers.get('x-service-copy')]).toEqual([401, expect.any(String)])
  expect((await ask(`${copy.found.url}/account`, { headers: { Accept: 'text/html' } })).text).toContain(
    'Copy of https://study.example.org, from a backup of ',
  )
  await runProgram(
    fromSource,
    'keys',
    'confirm',
    '--data',
    data,
    '--email',
    'olga@example.org',
    '--key',
    key.slice(0, 8),
  )
  // A message that a server would send at once.
  const body = { email: 'new@example.org', name: 'Nils', permissions: [] }
  const invited = await ask(`${copy.found.url}/teams/${team}/users`, { key, method: 'POST', body })
  expect(invited.status).toBe(200)
  await Bun.sleep(1500) // longer than the server waits between two looks at the outbox
  expect(count()).toBe(0)
  expect(rows(data, `SELECT status FROM outbox WHERE _id = '${waiting}'`)).toEqual([{ status: 'notSent' }])
  const { err: warned } = await runProgram(fromSource, 'doctor', '--data', data, '--port', '0', '--tls', 'off')
  expect([warned, count()]).toEqual(['', 0])
  const elsewhere = await runProgram(fromSource, 'backup', '--data', data, '--out', freshFolder())
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining('its backups stay in its own folder')])
  expect((await runProgram(fromSource, 'backup', '--data', data)).code).toBe(0)
  expect((await copy.stop()).code).toBe(0)

  const live = await serving(data, '--go-live')
  expect((await ask(`${live.found.url}/health`)).headers.get('x-service-copy')).toBeNull()
  await until(() => live.out().includes('this copy is live now; 2 messages that waited are not sent'))
  expect(rows(data, `SELECT status, dueAt FROM outbox WHERE _id = '${waiting}'`)).toEqual([
    { status: 'unknown', dueAt: null },
  ])
  await Bun.sleep(1500)
  expect(count()).toBe(0) // what waited is not sent a second time
  await live.stop()
  const types = rows<{ event: string }>(data, `SELECT event FROM auditEntries WHERE type = 'goLive'`)
  expect(types.map(({ event }) => JSON.parse(event))).toEqual([
    { address: 'https://study.example.org', madeAt: expect.any(String), restoredAt: expect.any(String), unsent: 2 },
  ])
  expect((await runProgram(fromSource, 'verify', '--data', data)).code).toBe(0)
  // It is no copy any more: what is written now is sent.
  insertToOutbox(join(data, 'trialbox.db'))
  const again = await serving(data, '--go-live')
  await until(() => again.out().includes('--go-live changes nothing'))
  await until(() => count() > 0)
  await again.stop('SIGKILL')
}, 240_000)

test('with --keep-keys keys work again; a backup of a copy is one of a copy, and an older program refuses it', async () => {
  const { archive, key } = await backedUpServer()
  const data = join(freshFolder(), 'copy')
  const { out } = await runProgram(fromSource, 'restore', archive, '--data', data, '--keep-keys')
  expect(out).toContain('works again')
  expect(rows(data, 'SELECT suspendedAt FROM apiKeys')).toEqual([{ suspendedAt: null }])
  const secrets = JSON.parse(readFileSync(join(data, 'secrets'), 'utf8'))
  expect([secrets.format, secrets.copyOf.address]).toEqual([2, 'https://study.example.org'])
  const server = await serving(data)
  expect((await ask(`${server.found.url}/users/me`, { key })).status).toBe(200)
  await server.stop()
}, 120_000)

describe('what a killed restore left is removed by any command on the directory', () => {
  const dead = () => Bun.spawnSync(['true']).pid
  test.each<[string, ...string[]]>([['verify'], ['users', 'list'], ['doctor'], ['log'], ['serve']])(
    '%s',
    async (...words) => {
      const folder = freshFolder()
      const data = join(folder, 'data')
      const left = [`${data}.restoring-${dead()}-0123456789ab`, join(folder, `other.restoring-${dead()}-0123456789ab`)]
      for (const each of left) {
        mkdirSync(each)
        appendFileSync(join(each, 'trialbox.db'), 'patients')
      }
      const foreign = [join(folder, 'restoring'), join(folder, `x.restoring-${process.pid}-0123456789ab`)]
      for (const each of foreign) mkdirSync(each)
      if (words[0] === 'serve') await (await serving(data)).stop()
      // There is no directory yet: the command fails, and has removed what was left all the same.
      else expect((await runProgram(fromSource, ...words, '--data', data)).err).toContain(`removed ${left[0]}`)
      expect(left.filter(existsSync)).toEqual([])
      expect(foreign.filter((each) => !existsSync(each))).toEqual([])
    },
    60_000,
  )
})

describe.skipIf(process.getuid?.() !== 0)('restore --owner, by root', () => {
  const owners = (path: string): number[] => {
    const { uid } = lstatSync(path)
    const inner = lstatSync(path).isDirectory() ? readdirSync(path).flatMap((name) => owners(join(path, name))) : []
    return [...new Set([uid, ...inner])]
  }
  test.each([true, false])(
    'the directory and all in it belong to the user (the directory exists: %p)',
    async (exists) => {
      const { root } = directory([10])
      const { archive } = await backedUp(root)
      const data = exists ? freshFolder() : join(freshFolder(), 'data')
      const { code, err } = await runProgram(fromSource, 'restore', archive, '--data', data, '--owner', 'nobody')
      expect([code, err]).toEqual([0, ''])
      const id = Number(Bun.spawnSync(['id', '-u', 'nobody']).stdout.toString())
      expect(owners(data)).toEqual([id])
    },
  )
  test.each(['no-such-user', '-u', '', 'root; x'])('%p is refused, and nothing is restored', async (owner) => {
    const { root } = directory([10])
    const { archive } = await backedUp(root)
    const data = join(freshFolder(), 'data')
    const { code } = await runProgram(fromSource, 'restore', archive, '--data', data, `--owner=${owner}`)
    expect([code, existsSync(data)]).toEqual([1, false])
  })
})
