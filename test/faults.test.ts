import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { requireNoFaults } from './faults'
import { world } from './harness'
import { proof } from './proof'
import { root } from './server/process/folder'
import { temporaryFolder } from './temporary'

test('faults that no test has taken are refused, each with its place and reason', () => {
  expect(() => requireNoFaults([])).not.toThrow()
  const faults: [string, unknown][] = [
    ['sending', new Error('no route')],
    ['job', { code: 7 }],
  ]
  expect(() => requireNoFaults(faults)).toThrow(/sending: Error: no route[\s\S]*job: {\s+code: 7/)
})

proof('a test that does not take a fault of its service fails, one that takes it does not', async () => {
  const path = join(temporaryFolder(), 'faulty.test.ts')
  await Bun.write(
    path,
    `import { expect, test } from 'bun:test'
import { world } from ${JSON.stringify(join(root, 'test/harness'))}
const broken = (w) => w.service.services.fault(new Error('the disk is full'), 'backup')
test('passes over it', () => broken(world()))
test('passes over one of a second world', () => {
  world()
  broken(world())
})
test('has none', () => void world())
test('takes it', () => {
  const w = world()
  broken(w)
  expect(w.takeFaults()).toEqual([['backup', new Error('the disk is full')]])
})`,
  )
  const run = Bun.spawnSync([process.execPath, 'test', path], { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const output = run.stderr.toString()
  expect(run.exitCode).toBe(1)
  expect(output.match(/^\((pass|fail)\) [^[]*(?= \[)/gm)).toEqual([
    '(fail) passes over it',
    '(fail) passes over one of a second world',
    '(pass) has none',
    '(pass) takes it',
  ])
  expect(output).toContain('backup: Error: the disk is full')
})

test('each world is a copy: a change of one is not in another', async () => {
  const [one, other] = [world(), world()]
  await one.owner.do('createTrial', one.team, { name: 'Only here' })
  const names = async (w: typeof one) => (await w.owner.do('listTrials', w.team)).trials
  expect((await names(one)).length).toBe(1)
  expect(await names(other)).toEqual([])
})
