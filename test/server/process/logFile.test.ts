import { expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '#server/process/log'
import { openLogFile } from '#server/process/logFile'
import { freshFolder } from './folder'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const sizeOf = (folder: string) => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

test('the log is kept in files of limited size and number', () => {
  const folder = join(freshFolder(), 'logs')
  let now = NOON
  const file = openLogFile(folder, () => now++, { mostBytes: 1000 })
  for (let n = 0; n < 500; n++) writeFileSync(file.next(100)!, `${n}`.padStart(99).concat('\n'))
  file.close()
  const names = readdirSync(folder).sort()
  expect(names).toHaveLength(11)
  expect(names.at(-1)).toBe('trialbox.log')
  expect(sizeOf(folder)).toBe(11 * 1000)
  const text = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  expect(text.trim().split(/\s+/).map(Number)).toEqual(Array.from({ length: 110 }, (_, n) => 390 + n))
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
})

test('a new day begins a new file, and a restart goes on in the file of its day', () => {
  const folder = freshFolder()
  let now = Date.now()
  const write = () => {
    const file = openLogFile(folder, () => now)
    writeFileSync(file.next(5)!, 'line\n')
    file.close()
  }
  write()
  write()
  expect(readdirSync(folder)).toEqual(['trialbox.log'])
  now += 86_400_000
  write()
  expect(readdirSync(folder)).toHaveLength(2)
  expect(readFileSync(join(folder, 'trialbox.log'), 'utf8')).toBe('line\n')
})

test('without room or access nothing is written, and nothing fails', () => {
  const folder = freshFolder()
  expect(openLogFile(folder, Date.now, { least: Number.MAX_SAFE_INTEGER }).next(5)).toBeUndefined()
  writeFileSync(join(folder, 'file'), '')
  const below = openLogFile(join(folder, 'file', 'logs'), Date.now)
  expect(below.next(5)).toBeUndefined()
  rmSync(join(folder, 'file'))
  expect(below.next(5)).toBeNumber()
  below.close()
  chmodSync(folder, 0o700)
})

test('the files hold each request as JSON with the address of its client, whatever the format of the output', async () => {
  const folder = freshFolder()
  const out = join(folder, 'out')
  writeFileSync(out, '')
  const fd = (await import('node:fs')).openSync(out, 'a')
  const log = openLog('text', { fd }, () => NOON)
  log.writeFilesTo(join(folder, 'logs'))
  const line = { method: 'GET', route: '/health', status: 200, duration: 1.5, requestId: 'a-1', address: '192.0.2.7' }
  log.request(line)
  log.event('info', 'started', { port: 1 })
  await log.close()
  const kept = readFileSync(join(folder, 'logs', 'trialbox.log'), 'utf8')
    .trim()
    .split('\n')
  expect(kept.map((each) => JSON.parse(each))).toEqual([
    { time: '2026-03-02T12:00:00.000Z', level: 'info', ...line },
    { time: '2026-03-02T12:00:00.000Z', level: 'info', event: 'started', port: 1 },
  ])
  expect(readFileSync(out, 'utf8')).toContain('/health  - 192.0.2.7 a-1')
})
