import { expect, test } from 'bun:test'
import { storeLastUse } from '#http/lastSeenStore'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import { openService } from '#server/service'
import { program } from '#start/program'
import { world } from '../harness'
import { person } from '../person'
import { freshFolder } from './process/folder'

const noon = parseInstant('2026-03-02T12:00:00Z')!

/** A service with a clock that may go anywhere, and its owner. */
async function service(directory: string, at: number, acceptClock = false) {
  const clock = { at, now: () => clock.at }
  const faults: unknown[] = []
  const opened = openService(program, {
    ...{
      directory,
      clock,
      publicUrl: 'http://localhost',
      version: '0.0.0+test',
      storageKey: 'signs the links of a test',
    },
    acceptClock,
    fault: (reason) => faults.push(reason),
  })
  return { ...opened, clock, faults, person: (headers: Record<string, string>) => person(opened, headers) }
}

/** A world's data directory, closed, with its owner's credentials. */
async function written() {
  const w = world()
  const trial = w.trial()
  const { credentials } = w.owner
  await w.owner.do('createGroup', trial, { name: 'Before' })
  const { files } = w.saved()
  const directory = freshFolder()
  const { mkdirSync, writeFileSync } = await import('node:fs')
  const { dirname, join } = await import('node:path')
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), bytes)
  }
  return { directory, trial, credentials }
}

test.each([
  [0, true],
  [-2 * MINUTE, true],
  [-2 * MINUTE - 1, false],
  [-DAY, false],
  [DAY, true],
])('a start whose clock differs by %d from the newest entry: %p', async (by, isFine) => {
  const { directory } = await written()
  const start = async () => (await service(directory, noon + by)).close()
  if (isFine) await start()
  else expect(start()).rejects.toThrow(/The clock of the server says .* start once with --accept-clock/)
})

test('a clock that jumps back stops every write, and no read, until it is right', async () => {
  const { directory, trial, credentials } = await written()
  const s = await service(directory, noon + HOUR)
  try {
    const owner = s.person(credentials)
    const url = `/trials/${trial}/groups` as const
    await owner.do('createGroup', trial, { name: 'One' })
    s.clock.at = noon
    const refused = await owner.call('POST', url, { name: 'Two' })
    expect(refused).toMatchObject({
      status: 503,
      body: {
        message: expect.stringContaining('The clock of the server says'),
        details: { code: 'clock', manual: '/manual/running#the-clock' },
      },
    })
    expect((await owner.do('listGroups', trial)).groups.map(({ name }) => name)).toEqual(['Before', 'One'])
    await s.services.tick()
    const health = await owner.call('GET', '/health')
    expect(health).toMatchObject({
      status: 503,
      body: { status: 'failing', problems: [{ code: 'clock', isFailing: true }] },
    })
    s.clock.at = noon + HOUR
    await owner.do('createGroup', trial, { name: 'Two' })
    expect((await s.person({}).do('readHealth')).status).toBe('ok')
    expect(s.faults).toEqual([])
  } finally {
    s.close()
  }
})

test('--accept-clock goes on, and the log says so', async () => {
  const { directory, trial, credentials } = await written()
  const s = await service(directory, noon - DAY, true)
  await s.person(credentials).do('createGroup', trial, { name: 'Later' })
  const entry = s.services.db.$client
    .query(`SELECT chain, userType, event FROM auditEntries WHERE type = 'acceptClock'`)
    .get()
  expect(entry).toEqual({
    chain: 'service',
    userType: 'system',
    event: JSON.stringify({ newestEntryAt: noon, clock: noon - DAY }),
  })
  s.close()
  // The entry is the newest one now: the next start needs no flag.
  ;(await service(directory, noon - DAY + 1)).close()
})

test('a time of last use never goes back', async () => {
  const w = world()
  await w.signIn(w.owner)
  const { $client } = w.db
  for (const [table, column, key] of [
    ['users', 'lastSeenAt', '_id'],
    ['apiKeys', 'lastUsedAt', '_id'],
    ['sessions', 'lastSeenAt', '_id'],
  ] as const) {
    const { value } = $client.query(`SELECT ${key} AS value FROM ${table} LIMIT 1`).get() as { value: string }
    const stored = () =>
      ($client.query(`SELECT ${column} AS at FROM ${table} WHERE ${key} = ?`).get(value) as { at: number }).at
    for (const [now, expected] of [
      [noon + HOUR, noon + HOUR],
      [noon, noon + HOUR],
      [noon + DAY, noon + DAY],
    ] as const) {
      storeLastUse(w.db, table, value, now)
      expect(stored()).toBe(expected)
    }
  }
})
