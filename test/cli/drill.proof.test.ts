/** A drill proves that an archive can be restored, changes nothing, and leaves nothing. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { fromSource, runProgram } from '../program'
import { freshFolder } from '../server/process/folder'
import { backedUp, contentOf, directory } from './backup.study'

test('it prints a dated certificate, and leaves nothing', async () => {
  const { root } = directory()
  const { archive } = await backedUp(root)
  const folder = freshFolder()
  const before = contentOf(root)
  const { code, out, err } = await runProgram(fromSource, 'drill', archive, '--data', join(folder, 'data'))
  expect([code, err]).toEqual([0, ''])
  const sha256 = new Bun.CryptoHasher('sha256').update(readFileSync(archive)).digest('hex')
  expect(out).toMatch(/^drill {7}\d{4}-\d\d-\d\dT\S+Z, by Trialbox \S+$/m)
  expect(out).toContain(`SHA-256     ${sha256}`)
  expect(out).toMatch(/^rows {8}\d+ in \d+ tables, as many as the manifest says$/m)
  expect(out).toMatch(/^ok {5}files {11}/m)
  expect(Number(/^read {8}(\d+) pages of \d+ kinds/m.exec(out)?.[1])).toBeGreaterThan(5)
  expect(out).toMatch(/^result {6}the archive can be restored$/m)
  expect(readdirSync(folder)).toEqual([])
  expect(contentOf(root)).toEqual(before)
}, 60_000)

test('beside a data directory that runs or not, encrypted, and by verify', async () => {
  const { root } = directory([10])
  const identity = await generateX25519Identity()
  const [folder, key] = [freshFolder(), join(freshFolder(), 'key.txt')]
  writeFileSync(key, `${identity}\n`)
  const out = join(folder, 'x.tar.age')
  const to = await identityToRecipient(identity)
  expect((await runProgram(fromSource, 'backup', '--data', root, '--out', out, '--to', to)).code).toBe(0)
  const names = readdirSync(join(root, '..'))
  const drill = await runProgram(fromSource, 'drill', out, '--identity', key, '--data', root)
  expect([drill.code, drill.err]).toEqual([0, ''])
  const verified = await runProgram(fromSource, 'verify', out, '--identity', key, '--data', root)
  expect([verified.code, verified.err]).toEqual([0, ''])
  expect(verified.out).toContain('kept heads')
  expect(readdirSync(join(root, '..'))).toEqual(names)
  const without = await runProgram(fromSource, 'drill', out, '--data', root)
  expect([without.code, without.out]).toEqual([1, expect.stringContaining('is encrypted')])
  expect(without.out).toContain('result      FAILED')
  expect((await runProgram(fromSource, 'verify', '--identity', key, '--data', root)).err).toContain('is for an archive')
}, 120_000)

test('of a damaged archive it says what is wrong, and fails', async () => {
  const { root } = directory([10])
  const { archive } = await backedUp(root)
  truncateSync(archive, 5_000)
  const { code, out } = await runProgram(fromSource, 'drill', archive, '--data', root)
  expect(code).toBe(1)
  expect(out).toMatch(/^fault {7}.*cut short/m)
  expect(out).toMatch(/^result {6}FAILED/m)
})

test('killed at any moment, it leaves nothing after the next command', async () => {
  const { root } = directory([20_000_000])
  const { archive } = await backedUp(root)
  let left = 0
  for (const moment of [400, 550, 700, 900, 1200]) {
    const folder = freshFolder()
    const data = join(folder, 'data')
    const child = Bun.spawn([...fromSource.command, 'drill', archive, '--data', data], {
      ...{ cwd: fromSource.cwd, stdout: 'ignore', stderr: 'ignore' },
    })
    await Promise.race([Bun.sleep(moment), child.exited])
    child.kill('SIGKILL')
    await child.exited
    left += readdirSync(folder).length
    await runProgram(fromSource, 'users', 'list', '--data', data)
    expect(readdirSync(folder)).toEqual([])
  }
  expect(left).toBeGreaterThan(0) // else the moments are wrong
}, 120_000)
