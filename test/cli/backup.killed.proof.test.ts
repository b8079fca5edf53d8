/** Backups and restores that are killed, or have no space, leave nothing that is not cleared by the next one. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { command as restore } from '#cli/restore'
import { openDataDirectory } from '#server/process/dataDirectory'
import { banner, fromSource, startServer } from '../program'
import { freshFolder } from '../server/process/folder'
import { backedUp, call, contentOf, directory, restored } from './backup.study'

/** The id of a process that has ended. */
function deadProcess(): number {
  const child = Bun.spawnSync(['true'])
  return child.pid
}

/** Starts the program and kills it after so many milliseconds. */
async function killedAfter(milliseconds: number, ...words: string[]): Promise<void> {
  const child = Bun.spawn([...fromSource.command, ...words], {
    cwd: fromSource.cwd,
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await Promise.race([Bun.sleep(milliseconds), child.exited])
  child.kill('SIGKILL')
  await child.exited
}

/** Moments over the time that a command takes, the start of the program included. */
const MOMENTS = [250, 330, 400, 470, 540, 650]

test('killed backups leave no archive that is not whole, and the next backup clears the rest', async () => {
  const { root } = directory([20_000_000])
  const out = freshFolder()
  for (const moment of MOMENTS) {
    await killedAfter(moment, 'backup', '--data', root, '--out', join(out, `${moment}.tar`))
    for (const name of readdirSync(out).filter((each) => each.endsWith('.tar'))) await restored(join(out, name))
  }
  await backedUp(root, out)
  expect(readdirSync(out).filter((name) => !name.endsWith('.tar'))).toEqual([])
}, 180_000)

test('killed restores leave a directory that is whole or that the next restore fills', async () => {
  const { root } = directory([20_000_000])
  const { archive } = await backedUp(root)
  for (const moment of MOMENTS) {
    const folder = freshFolder()
    const data = join(folder, 'data')
    if (moment % 100) mkdirSync(data)
    await killedAfter(moment, 'restore', archive, '--data', data)
    if (!existsSync(join(data, 'secrets'))) await restored(archive, data)
    expect(contentOf(data)).toEqual(contentOf(root))
    openDataDirectory(data).lock.release()
    expect(readdirSync(folder)).toEqual(['data'])
  }
}, 180_000)

test('what a killed backup left is named and removed; what belongs to a running one or to others is not', async () => {
  const { root } = directory([10])
  const out = freshFolder()
  const dead = deadProcess()
  const hex = '0123456789ab'
  // Another process may have the number of one that was killed: in a container this one, after a start of the machine any.
  const reused = [`snapshot-${process.pid}-${hex}.part`, `x.tar.${process.ppid}-${hex}.part`]
  const left = [
    ...[`snapshot-${dead}-${hex}.part`, `x.tar.${dead}-${hex}.part`, `x.tar.${dead}-${hex}.part.${hex}.part`],
    ...reused,
  ]
  const others = [`snapshot-${process.ppid}-${hex}.part`, 'film.part', 'x.tar.part']
  for (const name of [...left, ...others]) writeFileSync(join(out, name), 'x')
  utimesSync(join(out, reused[1]!), 0, 0)
  const { lines } = await backedUp(root, out)
  for (const name of left)
    expect(lines).toContain(`note   removed ${join(out, name)}, which an interrupted backup left`)
  expect(
    readdirSync(out)
      .filter((name) => !name.startsWith('trialbox-'))
      .sort(),
  ).toEqual(others.sort())
})

test('a killed restore is begun again by a process that has its number', async () => {
  const { root } = directory([10])
  const { archive } = await backedUp(root)
  const data = freshFolder()
  mkdirSync(join(data, `restoring-${process.pid}-0123456789ab`))
  await restored(archive, data)
  expect(contentOf(data)).toEqual(contentOf(root))
})

test.each([false, true])(
  'a restore that was killed while it moved files into place is begun again (secrets moved: %p)',
  async (isComplete) => {
    const { root } = directory([10])
    const { archive } = await backedUp(root)
    const data = freshFolder()
    await restored(archive, data)
    const staging = join(data, `restoring-${deadProcess()}-0123456789ab`)
    mkdirSync(staging)
    writeFileSync(join(staging, 'moving'), '')
    if (!isComplete) await Bun.$`mv ${join(data, 'secrets')} ${staging}`
    const { lines, call: made } = call({ data }, [archive])
    if (isComplete) {
      await expect(restore.run(made)).rejects.toThrow('is not empty')
      expect(existsSync(join(data, 'trialbox.db'))).toBe(true)
    } else {
      expect(() => openDataDirectory(data)).toThrow('was interrupted: run `trialbox restore` again')
      expect(await restore.run(made)).toBe(0)
    }
    expect(lines).toContain(`note   removed ${staging}, which an interrupted restore left`)
    expect(existsSync(staging)).toBe(false)
    expect(contentOf(data)).toEqual(contentOf(root))
  },
)

test('a server that starts removes what killed backups and restores left', async () => {
  const { root } = directory([10])
  const dead = deadProcess()
  const left = [
    join(root, 'backups', `snapshot-${dead}-0123456789ab.part`),
    join(root, `restoring-${dead}-0123456789ab`),
    `${root}.restoring-${dead}-0123456789ab`,
  ]
  writeFileSync(left[0]!, 'x')
  for (const folder of left.slice(1)) mkdirSync(folder)
  const server = await startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', root], banner)
  expect(left.filter((path) => existsSync(path))).toEqual([])
  const { out, err } = await server.stop()
  for (const path of left) expect(out + err).toContain(basename(path))
}, 180_000)

test.skipIf(process.platform === 'win32')(
  'without space on the disk nothing is left behind, and the reason is one sentence',
  async () => {
    const { root } = directory([3_000_000])
    const { archive } = await backedUp(root)
    const limited = (folder: string, ...words: string[]) =>
      Bun.spawnSync(['bash', '-c', `trap '' XFSZ; ulimit -f 1500; exec "$@"`, '-', ...fromSource.command, ...words], {
        cwd: fromSource.cwd,
        env: { ...process.env, TMPDIR: folder },
      })
    const out = freshFolder()
    const made = limited(out, 'backup', '--data', root, '--out', join(out, 'x.tar'))
    expect([made.exitCode, readdirSync(out)]).toEqual([1, []])
    expect(made.stderr.toString()).toMatch(/^trialbox: .+\n$/)
    const folder = freshFolder()
    const back = limited(freshFolder(), 'restore', archive, '--data', join(folder, 'data'))
    expect([back.exitCode, readdirSync(folder)]).toEqual([1, []])
    expect(back.stderr.toString()).toMatch(/^trialbox: .+\n$/)
  },
)
