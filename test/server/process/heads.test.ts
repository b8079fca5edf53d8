/** The server keeps the ends of the audit trail beside the database, and notices at its next start if the database lacks them. */
import { afterEach, expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { verify } from '#cli/checks'
import { parseInstant } from '#kernel/time'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openService, type Service } from '#server/service'
import { program } from '#start/program'
import { type World, world } from '../../harness'
import { temporaryFolder } from '../../temporary'

const open: Service[] = []
afterEach(() => {
  for (const service of open.splice(0)) service.close()
})

/** The service on a copy of the data directory, changed by `change`, as after a kill. */
function started(
  { directory, now }: Pick<World, 'directory' | 'now'>,
  change: (copy: string) => void,
  acceptLoss = false,
) {
  const copy = temporaryFolder()
  cpSync(directory, copy, { recursive: true })
  change(copy)
  const start = (acceptLoss: boolean) => {
    const clock = { now: () => parseInstant(now())! }
    const options = { publicUrl: 'http://localhost', version: '0.0.0+test', storageKey: 'signs the links of a test' }
    const service = openService(program, { ...options, directory: copy, clock, acceptLoss })
    open.push(service)
    return service
  }
  return { copy, service: start(acceptLoss), start }
}

/** A world with some changes, and the ends of its trail kept. */
async function worked() {
  const here = world()
  const trial = here.trial()
  for (const name of ['Arm A', 'Arm B', 'Arm C']) await here.owner.do('createGroup', trial, { name })
  await here.service.services.tick()
  return { ...here, trial }
}

/** Removes the write-ahead log. */
const withoutLog = (copy: string) => {
  for (const suffix of ['-wal', '-shm']) rmSync(join(copy, `trialbox.db${suffix}`), { force: true })
}

const LOST = /lacks changes that it held before: chain [0-9a-f]{24} ended with entry \d+, which is not there/

test('a start after a kill finds what was kept', async () => {
  const here = await worked()
  expect(statSync(join(here.directory, 'heads')).mode & 0o777).toBe(0o600)
  started(here, () => {})
  await here.owner.do('createGroup', here.trial, { name: 'after the last look' })
  started(here, () => {})
})

test('a deleted write-ahead log is noticed, and nothing is written', async () => {
  const here = await worked()
  expect(() => started(here, withoutLog)).toThrow(LOST)
  let copy = ''
  expect(() =>
    started(here, (at) => {
      copy = at
      withoutLog(at)
    }),
  ).toThrow('--accept-loss')
  expect(readFileSync(join(copy, 'heads'), 'utf8')).toBe(readFileSync(join(here.directory, 'heads'), 'utf8'))
})

test('an older database file in its place is noticed', async () => {
  const here = await worked()
  const earlier = temporaryFolder()
  here.service.flush()
  here.db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)')
  cpSync(join(here.directory, 'trialbox.db'), join(earlier, 'trialbox.db'))
  await here.owner.do('createGroup', here.trial, { name: 'later' })
  await here.service.services.tick()
  here.clock(60_000_000)
  await here.service.services.tick()
  const older = (copy: string) => {
    withoutLog(copy)
    cpSync(join(earlier, 'trialbox.db'), join(copy, 'trialbox.db'))
  }
  expect(() => started(here, older)).toThrow(LOST)
})

test('with --accept-loss the server starts, its log says what is lost, and later starts need no flag', async () => {
  const here = await worked()
  const { service, start } = started(here, withoutLog, true)
  const entry = service.services.db.$client
    .query<{ event: string }, []>(`SELECT event FROM auditEntries WHERE chain = 'service' AND type = 'acceptLoss'`)
    .get()!
  expect(JSON.parse(entry.event).chains).toContainEqual({
    chain: here.trial,
    entries: 3,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    left: 0,
  })
  open.splice(open.indexOf(service), 1)[0]!.close()
  start(false)
})

test('a trial that was deleted is no loss', async () => {
  const here = await worked()
  const kept = readFileSync(join(here.directory, 'heads'))
  await here.owner.do('deleteTrial', here.trial)
  started(here, (copy) => writeFileSync(join(copy, 'heads'), kept))
})

test('the file is written at the end of each minute, and when the write-ahead log begins anew', async () => {
  const here = await worked()
  const path = join(here.directory, 'heads')
  const kept = () => readFileSync(path, 'utf8')
  const group = (name: string) => here.owner.do('createGroup', here.trial, { name })
  const first = kept()
  await group('Arm D')
  await here.service.services.tick()
  expect(kept()).toBe(first)
  here.clock(60_000_000)
  await here.service.services.tick()
  const second = kept()
  expect(second).not.toBe(first)
  await group('Arm E')
  here.db.$client.run('PRAGMA wal_checkpoint(RESTART)')
  await group('Arm F')
  await here.service.services.tick()
  expect(kept()).not.toBe(second)
})

test.each([
  ['cut off', (text: string) => text.slice(0, -30)],
  ['empty', () => ''],
  ['of something else', () => 'shopping list\n'],
])('a file that is %s refuses the start, until the operator accepts it', async (_, change) => {
  const here = await worked()
  const spoil = (copy: string) => writeFileSync(join(copy, 'heads'), change(readFileSync(join(copy, 'heads'), 'utf8')))
  expect(() => started(here, spoil)).toThrow('heads is damaged')
  const { copy } = started(here, spoil, true)
  expect(readFileSync(join(copy, 'heads'), 'utf8')).toStartWith('# The ends of the audit trail')
})

test('`verify`, `doctor` and `backup` compare too', async () => {
  const here = await worked()
  const data = join(temporaryFolder(), 'data')
  openDataDirectory(data).lock.release()
  for (const file of ['trialbox.db', 'trialbox.db-wal', 'heads']) cpSync(join(here.directory, file), join(data, file))
  const verified = () => {
    const lines: string[] = []
    const code = verify({ flags: { data }, env: {}, print: (line) => lines.push(line) })
    return { code, lines }
  }
  const examined = async () => {
    const findings = await Array.fromAsync(examine(configure({ data, port: '0' }, {}), parseInstant(here.now())!))
    return findings.find(({ name }) => name === 'database')!
  }
  expect(await examined()).toMatchObject({ isFine: true })
  expect(verified()).toMatchObject({
    code: 0,
    lines: expect.arrayContaining([expect.stringMatching(/^ok +kept heads/)]),
  })
  withoutLog(data)
  expect(existsSync(join(data, 'trialbox.db-wal'))).toBe(false)
  expect(verified()).toMatchObject({
    code: 1,
    lines: expect.arrayContaining([expect.stringMatching(/^fault +kept heads +the database lacks/)]),
  })
  expect(await examined()).toMatchObject({ isFine: false, detail: expect.stringMatching(LOST) })
  const lines: string[] = []
  const call = { flags: { data }, words: [], env: {}, print: (line: string) => void lines.push(line) }
  await expect(backup.run(call)).rejects.toThrow('changes may be lost: keep the older ones')
  expect(lines.join('\n')).toMatch(LOST)
  writeFileSync(join(data, 'heads'), 'spoiled')
  const again = { ...call, flags: { data, out: join(data, 'backups', 'again.tar') } }
  await expect(backup.run(again)).rejects.toThrow('changes may be lost')
  expect(existsSync(join(data, 'backups', 'again.tar'))).toBe(true)
})
