/** What a server says about its own health, on a real socket and on a disk that is really full. */
import { expect, test } from 'bun:test'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { insertOwner } from '#accounts/users/owner'
import { beginSnapshot, countRows, openUnchecked } from '#db/file'
import type { Sqlite } from '#db/open'
import { DAY } from '#kernel/time'
import { openChecks } from '#server/health/checks'
import { listen } from '#server/listen'
import { openService } from '#server/service'
import { program } from '#start/program'
import { afterFile } from '../afterFile'
import { world } from '../harness'
import { ask, banner, firstKey, fromSource, startServer } from '../program'
import { proof } from '../proof'
import { freshFolder } from './process/folder'

/** A small disk of its own; undefined if this user may not mount one. */
function smallDisk(megabytes: number): string | undefined {
  const folder = freshFolder()
  if (process.platform !== 'linux') return undefined
  const { exitCode } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
    stderr: 'ignore',
  })
  if (exitCode) return undefined
  afterFile(() => Bun.spawnSync(['umount', '-l', folder]))
  return folder
}

/** Fills the disk of a folder to the last byte. */
function fill(folder: string): string {
  const path = join(folder, 'ballast')
  const file = openSync(path, 'w')
  try {
    for (let size = 1 << 20; size >= 1; ) {
      try {
        if (writeSync(file, Buffer.alloc(size)) < size) size = Math.floor(size / 2)
      } catch {
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
  return path
}

const disk = smallDisk(24)

test.skipIf(!disk)(
  'on a full disk writes are 507 in JSON and reads go on; with room again everything does',
  async () => {
    const data = join(disk!, 'data')
    mkdirSync(data)
    const server = await startServer(fromSource, ['--data', data, '--port', '0', '--tls', 'off'], banner)
    const { url, setup } = server.found
    const { key, team } = await firstKey(url, setup!)
    const healthy = await ask(`${url}/health`)
    expect(healthy.status).toBe(200)
    const trial = (await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Sleep' } })).body
    const upload = await ask(`${url}/storage/requestUpload`, { method: 'POST', key, body: {} })
    expect(upload.status).toBeLessThan(500)
    const ballast = fill(disk!)
    const groups = `${url}/trials/${trial._id}/groups`
    let refused = await ask(groups, { method: 'POST', key, body: { name: 'x'.repeat(100) } })
    // The write-ahead log may have room for a few more.
    for (let n = 0; refused.status === 200 && n < 2000; n++)
      refused = await ask(groups, { method: 'POST', key, body: { name: `Arm ${n} ${'x'.repeat(80)}` } })
    expect([refused.status, refused.body.message]).toEqual([
      507,
      expect.stringContaining('The disk of the server is full'),
    ])
    expect((await ask(groups, { key })).status).toBe(200)
    const failing = await ask(`${url}/health`)
    expect(failing).toMatchObject({
      status: 503,
      body: { status: 'failing', problems: [{ code: 'diskFull', isFailing: true }] },
    })
    const { text } = await ask(`${url}/metrics`)
    expect(text).toContain('trialbox_healthy 0')
    expect(text).toContain('trialbox_problems{code="diskFull",level="failing"} 1')
    rmSync(ballast)
    expect((await ask(groups, { method: 'POST', key, body: { name: 'Later' } })).status).toBe(200)
    expect((await ask(`${url}/health`)).body.problems).not.toContainEqual(expect.objectContaining({ code: 'diskFull' }))
    expect((await server.stop()).code).toBe(0)
  },
  180_000,
)

test('a request that is cut short is no error of the server', async () => {
  const w = world()
  const seen: number[] = []
  const { onRequest } = w.service
  const server = listen(
    {
      ...w.service,
      onRequest: (request) => {
        seen.push(request.status)
        onRequest(request)
      },
    },
    { host: '127.0.0.1', port: 0 },
  )
  try {
    for (const head of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(
        `POST /teams/${w.team}/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${head}\r\n` +
          `Authorization: ${w.owner.credentials.Authorization}\r\n\r\n${head.startsWith('T') ? '5\r\n{"ema\r\n' : '{"ema'}`,
      )
      await Bun.sleep(50)
      socket.destroy()
    }
    await Bun.sleep(100)
  } finally {
    await server.stop()
  }
  expect(w.takeFaults()).toEqual([])
  expect(w.service.metrics.text()).not.toMatch(/status="500"/)
  expect((await w.owner.do('listMembers', w.team)).users).toHaveLength(1)
})

test('the health tells free space, backups, messages, failed sign-ins and the clock, and so do the metrics', async () => {
  const w = world()
  await w.nobody.call('POST', '/sessions', { email: 'owner@example.org', password: 'not the password 12' })
  await w.nobody.do('requestPasswordReset', { email: 'owner@example.org' })
  const health = await w.owner.do('readHealth')
  expect(health).toMatchObject({ now: w.now(), newestEntryAt: w.now(), lastBackupAt: null, failedSignIns: 1 })
  expect(health.freeBytes).toBeGreaterThan(0)
  expect([health.certificateExpiresAt, health.quickCheck?.status]).toEqual([null, 'notYet'])
  w.clock(8 * DAY)
  expect((await w.owner.do('readHealth')).problems).toContainEqual(
    expect.objectContaining({ code: 'backup', isFailing: false }),
  )
  const text = w.service.metrics.text(w.service.services.health())
  for (const line of [
    'trialbox_failed_sign_ins_total{kind="staff"} 1',
    'trialbox_healthy 1',
    'trialbox_disk_free_bytes ',
  ])
    expect(text).toContain(line)
})

test('a folder that is gone or cannot be written makes the server fail, and is reported', async () => {
  const w = world()
  rmSync(join(w.directory, 'exports'), { recursive: true })
  const health = await w.owner.call('GET', '/health')
  expect(health).toMatchObject({ status: 503, body: { problems: [{ code: 'folder', isFailing: true }] } })
})

test('strangers get the status only; the token of the metrics, this machine and admins of a team the rest', async () => {
  const w = world()
  const token = 'a token of the metrics'
  const trial = w.trial()
  const asked = async (forwarded: boolean, headers: Record<string, string>) => {
    const server = listen(w.service, { host: '127.0.0.1', port: 0, forwarded, metricsToken: token })
    try {
      return (await ask(`http://127.0.0.1:${server.port}/health`, { headers })).body
    } finally {
      await server.stop()
    }
  }
  const all = await w.owner.do('readHealth')
  expect(all).toMatchObject({ status: 'ok', version: '0.0.0+test', problems: [] })
  const details = { version: all.version, newestEntryAt: all.newestEntryAt }
  expect(await asked(false, {})).toMatchObject(details)
  const far = { 'X-Forwarded-For': '203.0.113.9' }
  expect(await asked(true, { ...far, Authorization: `Bearer ${token}` })).toMatchObject(details)
  // Through a proxy on this machine, one that is trusted and one that is not, past a trusted one, and with a wrong token.
  for (const [forwarded, headers] of [
    [true, far],
    [false, far],
    [true, {}],
    [true, { ...far, Authorization: `Bearer ${token}s` }],
  ] as const)
    expect(await asked(forwarded, headers)).toEqual({ status: 'ok' })
  const member = w.invite(['trials.manage'])
  for (const each of [w.nobody, member, w.staff(trial, ['trial.admin'])])
    expect(await each.do('readHealth')).toEqual({ status: 'ok' })
  expect(await w.invite(['team.admin']).do('readHealth')).toMatchObject(details)

  rmSync(join(w.directory, 'exports'), { recursive: true })
  expect(await w.nobody.call('GET', '/health')).toMatchObject({
    status: 503,
    body: { message: 'The service is failing.', status: 'failing' },
  })
  expect((await w.nobody.call('GET', '/health')).body).not.toContainAnyKeys(['problems', 'version', 'freeBytes'])
})

proof(
  'a server checks its database at the start, and says what it found',
  async () => {
    const data = freshFolder()
    const words = ['--data', data, '--port', '0', '--tls', 'off']
    const server = await startServer(fromSource, words, banner)
    const quick = async () => {
      for (;;) {
        const { body } = await ask(`${server.found.url}/health`)
        if (body.quickCheck.status !== 'running') return body.quickCheck
        await Bun.sleep(50)
      }
    }
    expect(await quick()).toMatchObject({ status: 'ok', at: expect.any(String) })
    await server.stop()
  },
  180_000,
)

test('verify runs on its schedule, and a fault that it finds is reported until the next run', async () => {
  const results = ['audit trail', undefined]
  const states: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const checks = openChecks(
    {
      check: async (which) => (which === 'quickCheck' ? undefined : results.shift()),
      stop: () => {},
      clock: { now: () => 1 },
      first: 1,
      every: 1,
    },
    (which, { status, failed }) => {
      states.push([which, status, failed].filter(Boolean).join(' '))
      if (states.includes('verify ok')) resolve()
    },
    () => {},
  )
  await promise
  checks.close()
  expect(states.filter((state) => !state.includes('running'))).toEqual([
    'quickCheck ok',
    'verify failed audit trail',
    'verify ok',
  ])
})

test('a stop ends the check that runs, and then empties the write-ahead log', async () => {
  const directory = freshFolder()
  let reader: Sqlite | undefined
  const service = openService(program, {
    ...{ directory, publicUrl: '', version: '0.0.0', clock: { now: () => 1 }, storageKey: new Uint8Array(32) },
    checks: {
      check: async () => {
        reader = openUnchecked(join(directory, 'trialbox.db'), 0)
        beginSnapshot(reader)
        countRows(reader)
        return await new Promise(() => {})
      },
      stop: () => reader?.close(),
      ...{ first: 1, every: 0 },
    },
  })
  const { db, commit } = service.services
  service.start()
  expect(reader).toBeDefined()
  await commit(() => insertOwner(db, { email: 'o@example.org', name: 'O', team: 'T', passwordHash: null, now: 1 }))
  service.close()
  expect(existsSync(join(directory, 'trialbox.db-wal'))).toBe(false)
})
