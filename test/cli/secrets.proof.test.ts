/** The keys of the server: rotated, listed and forgotten by the command, with backups, kills and a running server. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, instantText } from '#kernel/time'
import { readDataDirectory } from '#server/process/dataDirectory'
import { ask, banner, firstKey, fromSource, runProgram, startServer } from '../program'
import { freshFolder } from '../server/process/folder'

const serving = (data: string) => startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', data], banner)
const secrets = (data: string, ...words: string[]) => runProgram(fromSource, 'secrets', ...words, '--data', data)
const secretsIn = (data: string) => JSON.parse(readFileSync(join(data, 'secrets'), 'utf8'))

const rows = <T>(data: string, sql: string): T[] => {
  const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
  try {
    return sqlite.query<T, []>(sql).all()
  } finally {
    sqlite.close()
  }
}
const logged = (data: string, type: string) =>
  rows<{ event: string }>(data, `SELECT event FROM auditEntries WHERE chain = 'service' AND type = '${type}'`).map(
    ({ event }) => JSON.parse(event),
  )

/** Moves the time at which the first key was replaced into the past, as if the command had run then. */
function longAgo(data: string, days = 91) {
  const { earlier, ...current } = secretsIn(data)
  const until = instantText(Date.now() * 1000 - days * DAY)
  writeFileSync(
    join(data, 'secrets'),
    JSON.stringify({ ...current, since: until, earlier: [{ ...earlier[0], until }] }),
  )
}

/** A data directory with participants who have sign-in links and one a PIN, and what a server answers about them. */
async function used() {
  const data = join(freshFolder(), 'data')
  const server = await serving(data)
  const { url, setup } = server.found
  const { key, team } = await firstKey(url, setup!)
  const { body: trial } = await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Sleep' } })
  const at = `/trials/${trial._id}/participants`
  const links: string[] = []
  const people: string[] = []
  for (let n = 0; n < 30; n++) {
    const { body } = await ask(`${url}${at}`, {
      method: 'POST',
      key,
      body: { participantId: `P-${n}`, password: 'owl in june' },
    })
    people.push(body._id)
    const { body: grant } = await ask(`${url}${at}/${body._id}/grants`, { method: 'POST', key, body: {} })
    links.push(grant.url.split('grant=')[1])
  }
  const readGrants = async (url: string) =>
    Promise.all(
      people.map(async (_id) => (await ask(`${url}${at}/${_id}/grants`, { key })).body.url?.split('grant=')[1]),
    )
  expect(await readGrants(url)).toEqual(links)
  const giveId = (url: string, body: object) => ask(`${url}${at}/${people[0]}/pin`, { method: 'PUT', key, body })
  expect((await giveId(url, { pin: '2846' })).status).toBe(200)
  await server.stop()
  /** Starts a server, which must read all of them, and verifies. */
  async function expectReadable(of = data) {
    const server = await serving(of)
    expect(await readGrants(server.found.url)).toEqual(links)
    await server.stop()
    const { code, out } = await runProgram(fromSource, 'verify', '--data', of)
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok {5}secrets {9}30 of 30 values .* can be read$/m)])
    expect(out).not.toContain('note')
  }
  return { data, key, at, people, links, expectReadable }
}

test('a rotation seals what is stored with a new key, which is listed, logged and verified; forgetting waits for what needs the old one', async () => {
  const { data, expectReadable } = await used()
  const first = secretsIn(data)
  expect(first).toMatchObject({ format: 1 })
  expect(Object.keys(first)).not.toContain('version')
  expect((await secrets(data, 'list')).out).toMatch(
    /^key {4}1\tfrom the beginning, current\tsigns archives as [0-9a-f]{64}\n$/,
  )
  expect(await secrets(data, 'forget')).toMatchObject({ code: 0, out: 'There is no earlier key.\n' })
  expect(secretsIn(data)).toEqual(first)

  const { code, out, err } = await secrets(data, 'rotate')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Key 2 is the current one. 30 stored secrets are sealed with it.')
  const second = secretsIn(data)
  expect(second).toMatchObject({ format: 3, version: 2, earlier: [{ version: 1, secret: first.secret, since: null }] })
  expect(second.secret).not.toBe(first.secret)
  await expectReadable()

  const list = (await secrets(data, 'list')).out
  expect(list).toMatch(/^key {4}2\tsince \S+, current\tsigns archives as [0-9a-f]{64}$/m)
  expect(list).toMatch(/^key {4}1\tfrom the beginning, until \S+\tsigns archives as [0-9a-f]{64}$/m)
  expect(list).toMatch(/^needs {2}1\t1 PINs: each is made anew when it is next entered/m)
  expect(list).toMatch(/^needs {2}1\tlinks, and what devices without a connection have, until \S+$/m)
  const fingerprints = [...list.matchAll(/signs archives as (\w+)/g)].map(([, fingerprint]) => fingerprint)
  expect(logged(data, 'rotateSecrets')).toEqual([{ version: 2, since: second.since, signingKey: fingerprints[0] }])
  expect((await runProgram(fromSource, 'doctor', '--data', data, '--tls', 'off', '--port', '0')).out).toMatch(
    /^ok {5}secrets +key 1, which was replaced at \S+, is still needed/m,
  )

  longAgo(data, 89)
  expect((await secrets(data, 'forget')).code).toBe(1)
  longAgo(data)
  const waits = await secrets(data, 'forget')
  expect([waits.code, waits.out, waits.err]).toEqual([
    1,
    'needs  1\t1 PINs: each is made anew when it is next entered on a shared tablet; or give new ones\n',
    expect.stringContaining('give --now'),
  ])
  expect(secretsIn(data).earlier).toHaveLength(1)
  // Whoever does not need it any more frees the key.
  const sqlite = new Database(join(data, 'trialbox.db'))
  sqlite.run(`UPDATE participantPins SET hash = '2.' || hash`)
  sqlite.close()
  expect(await secrets(data, 'forget')).toMatchObject({ code: 0, out: 'Key 1 is forgotten.\n' })
  expect(secretsIn(data)).not.toHaveProperty('earlier')
  expect(secretsIn(data)).toMatchObject({ format: 3, version: 2 })
  expect(logged(data, 'forgetSecrets')).toEqual([
    { atOnce: false, keys: [{ version: 1, signingKey: fingerprints[1], ended: [] }] },
  ])
}, 120_000)

test('forgetting at once says what ends, and ends it', async () => {
  const { data, expectReadable } = await used()
  await secrets(data, 'rotate')
  await secrets(data, 'rotate')
  expect(secretsIn(data).earlier.map(({ version }: { version: number }) => version)).toEqual([2, 1])
  const { code, out } = await secrets(data, 'forget', '--now')
  expect([code, out]).toEqual([
    0,
    [
      ...['Key 2 is forgotten.', 'ended  2\tlinks that were sent, and what devices without a connection have'],
      ...['Key 1 is forgotten.', 'ended  1\tlinks that were sent, and what devices without a connection have'],
      'ended  1\t1 PINs: they must be given anew\n',
    ].join('\n'),
  ])
  expect(rows(data, 'SELECT * FROM participantPins')).toEqual([])
  expect(logged(data, 'rotateSecrets').map(({ version }) => version)).toEqual([2, 3])
  expect(logged(data, 'forgetSecrets')).toMatchObject([{ atOnce: true, keys: [{ ended: [] }, { ended: ['1 PINs'] }] }])
  await expectReadable()
}, 120_000)

test('it is refused while a server runs, of an older program, and with words that it does not know', async () => {
  const { data, expectReadable } = await used()
  const before = secretsIn(data)
  const server = await serving(data)
  for (const words of [['rotate'], ['forget'], ['forget', '--now']]) {
    const { code, err } = await secrets(data, ...words)
    expect([code, err]).toEqual([1, expect.stringContaining('is in use')])
  }
  expect((await secrets(data, 'list')).code).toBe(0)
  await server.stop()
  expect((await secrets(data, 'rotate', '--now')).err).toContain('--now is for: trialbox secrets forget')
  expect((await secrets(data, 'turn')).err).toContain('knows rotate, list and forget, not "turn"')
  expect(secretsIn(data)).toEqual(before)
  await expectReadable()
}, 120_000)

test('killed at any moment, it leaves a directory that reads everything, and the next one completes the work', async () => {
  const { data: from, expectReadable } = await used()
  let interrupted = 0
  for (const moment of [150, 250, 300, 350, 400, 450]) {
    const data = join(freshFolder(), 'data')
    cpSync(from, data, { recursive: true })
    const child = Bun.spawn([...fromSource.command, 'secrets', 'rotate', '--data', data], {
      ...{ cwd: fromSource.cwd, stdout: 'ignore', stderr: 'ignore' },
    })
    await Promise.race([Bun.sleep(moment), child.exited])
    child.kill('SIGKILL')
    if ((await child.exited) !== 0) interrupted++
    await expectReadable(data)
    await secrets(data, 'rotate')
    const { version } = secretsIn(data)
    expect(logged(data, 'rotateSecrets').map((each) => each.version)).toEqual([2, 3].slice(0, version - 1))
    expect((await secrets(data, 'forget', '--now')).code).toBe(0)
    await expectReadable(data)
    expect(readdirSync(data).filter((name) => /\.tmp$|\.part$/.test(name))).toEqual([])
  }
  expect(interrupted).toBeGreaterThan(0)
}, 240_000)

test('between the new key and the first value that it seals, everything is read, and the log has the rotation afterwards', async () => {
  const { data, expectReadable } = await used()
  const { addKey } = await import('#server/process/secretsFile')
  addKey(data, Date.now() * 1000)
  await expectReadable()
  expect(logged(data, 'rotateSecrets')).toEqual([])
  expect((await secrets(data, 'list')).out).toContain('needs  1\t30 values in grants.secret')
  expect((await secrets(data, 'forget', '--now')).code).toBe(0)
  expect(logged(data, 'rotateSecrets')).toMatchObject([{ version: 2 }])
  await expectReadable()
}, 120_000)

test('a backup from before and one from after read everything where they are restored', async () => {
  const { data, expectReadable } = await used()
  const out = freshFolder()
  const archives = ['before', 'rotated', 'forgotten'].map((name) => join(out, `${name}.tar`))
  for (const [at, words] of [[], ['rotate'], ['forget', '--now']].entries()) {
    if (words.length) expect((await secrets(data, ...words)).code).toBe(0)
    expect((await runProgram(fromSource, 'backup', '--data', data, '--out', archives[at]!)).code).toBe(0)
  }
  const versions = []
  for (const archive of archives) {
    const copy = join(freshFolder(), 'copy')
    expect((await runProgram(fromSource, 'restore', archive, '--data', copy, '--keep-keys')).code).toBe(0)
    versions.push(
      readDataDirectory(copy)
        .keysFor('x')
        .map(({ version }) => version),
    )
    await expectReadable(copy)
    // A copy is rotated, too, and stays a copy.
    expect((await secrets(copy, 'rotate')).code).toBe(0)
    expect(secretsIn(copy).copyOf).toBeDefined()
    await expectReadable(copy)
  }
  expect(versions).toEqual([[1], [2, 1], [2]])
}, 240_000)

test('a directory whose key was lost is reported by verify and doctor', async () => {
  const { data } = await used()
  await secrets(data, 'rotate')
  writeFileSync(join(data, 'secrets'), JSON.stringify({ ...secretsIn(data), version: 3, earlier: [] }))
  const { out } = await runProgram(fromSource, 'verify', '--data', data)
  expect(out).toMatch(/^ok {5}secrets {9}0 of 30 values .* can be read$/m)
  const line = '30 values in grants.secret cannot be read with the keys of this directory: set them anew'
  expect(out).toContain(`note   secrets         ${line}`)
  const doctor = await runProgram(fromSource, 'doctor', '--data', data, '--tls', 'off', '--port', '0')
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(line)])
}, 120_000)

test.each([
  ['a version that is none', { version: 0 }],
  ['a version without its time', { version: 2 }],
  ['earlier keys that are no list', { version: 2, since: '2026-03-02T12:00:00.000000Z', earlier: {} }],
  [
    'an earlier key without its secret',
    { version: 2, since: '2026-03-02T12:00:00.000000Z', earlier: [{ version: 1 }] },
  ],
])('a secrets file with %s is damaged, and nothing is guessed', async (_, change) => {
  const data = freshFolder()
  writeFileSync(join(data, 'secrets'), JSON.stringify({ format: 3, madeBy: '1', secret: 'A'.repeat(43), ...change }))
  expect((await secrets(data, 'list')).err).toContain('is damaged or cannot be read')
})
