/** Encrypted archives: only a private key opens them, with this program or with `age`; on the server there is none. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { command as backup } from '#cli/backup'
import { command as restore } from '#cli/restore'
import { encryptPieces } from '#server/backup/encryption'
import { fromSource } from '../program'
import { freshFolder } from '../server/process/folder'
import { backedUp, call, contentOf, directory } from './backup.study'

/** A pair of keys, the private one in a file as `age-keygen` writes it. */
async function keyPair() {
  const identity = await generateX25519Identity()
  const file = join(freshFolder(), 'key.txt')
  writeFileSync(file, `# created: 2026-03-02T12:00:00Z\n# public key: x\n${identity}\n`)
  return { file, recipient: await identityToRecipient(identity) }
}

async function encryptedBackup(root: string, to: string, out = freshFolder()) {
  const { lines, call: made } = call({ data: root, out, to })
  await backup.run(made)
  return { archive: lines[0]!, lines, out }
}

async function restored(archive: string, identity: string, data = join(freshFolder(), 'data')) {
  const { lines, call: made } = call({ data, identity }, [archive])
  await restore.run(made)
  return { data, lines }
}

test('it holds nothing in the clear, leaves nothing in the clear, and the private key restores it', async () => {
  const { root } = directory()
  const { file, recipient } = await keyPair()
  const { archive, lines, out } = await encryptedBackup(root, recipient)
  expect(archive).toEndWith('.tar.age')
  const bytes = readFileSync(archive)
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  for (const clear of ['SQLite format 3', 'manifest.json', 'ustar', 'o@example.org'])
    expect(bytes.includes(clear)).toBe(false)
  expect(lines.join('\n')).toContain(new Bun.CryptoHasher('sha256').update(bytes).digest('hex'))
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  expect([readdirSync(out).length, readdirSync(join(root, 'backups'))]).toEqual([1, []])
  const folder = freshFolder()
  const { data } = await restored(archive, file, join(folder, 'data'))
  expect(contentOf(data)).toEqual(contentOf(root))
  expect(readdirSync(folder)).toEqual(['data'])
  const mounted = freshFolder() // a directory that exists, such as a disk
  await restored(archive, file, mounted)
  expect(readdirSync(mounted).filter((name) => name.includes('restoring'))).toEqual([])
})

test('each of several recipients can read it, also those of the settings; --to wins', async () => {
  const { root } = directory([10])
  const [one, other, third] = [await keyPair(), await keyPair(), await keyPair()]
  writeFileSync(join(root, 'trialbox.conf'), `backup-to = ${one.recipient}, ${other.recipient}\n`)
  const { archive } = await backedUp(root)
  for (const { file } of [one, other]) expect(contentOf((await restored(archive, file)).data)).toEqual(contentOf(root))
  await expect(restored(archive, third.file)).rejects.toThrow('encrypted for another key')
  const { archive: theirs } = await encryptedBackup(root, third.recipient)
  await restored(theirs, third.file)
  await expect(restored(theirs, one.file)).rejects.toThrow('encrypted for another key')
})

describe('what is refused, and leaves nothing behind', () => {
  test('an archive without an identity, and an identity without need', async () => {
    const { root } = directory([10])
    const { file, recipient } = await keyPair()
    const { archive } = await encryptedBackup(root, recipient)
    const folder = freshFolder()
    const { call: without } = call({ data: join(folder, 'data') }, [archive])
    await expect(async () => restore.run(without)).toThrow('is encrypted: name the file of the private key')
    const { archive: plain } = await backedUp(root)
    await expect(restored(plain, file, join(folder, 'data'))).rejects.toThrow('is not encrypted')
    await expect(restored(archive, join(folder, 'none'), join(folder, 'data'))).rejects.toThrow(
      'cannot be read (ENOENT)',
    )
    writeFileSync(join(folder, 'key.txt'), 'AGE-SECRET-KEY-1NONSENSE\n')
    await expect(restored(archive, join(folder, 'key.txt'), join(folder, 'data'))).rejects.toThrow('is damaged')
    writeFileSync(join(folder, 'key.txt'), 'age-encryption.org/v1\n')
    await expect(restored(archive, join(folder, 'key.txt'), join(folder, 'data'))).rejects.toThrow('no private key')
    expect(readdirSync(folder)).toEqual(['key.txt'])
  })

  test.each([1, 100, 70_000])('an archive that lacks its last %p bytes', async (missing) => {
    const { root } = directory([200_000])
    const { file, recipient } = await keyPair()
    const { archive } = await encryptedBackup(root, recipient)
    truncateSync(archive, statSync(archive).size - missing)
    const folder = freshFolder()
    await expect(restored(archive, file, join(folder, 'data'))).rejects.toThrow('cut short or damaged')
    expect(readdirSync(folder)).toEqual([])
  })

  test('a directory that is not empty, before anything is decrypted', async () => {
    const { root } = directory([10])
    const { file, recipient } = await keyPair()
    const { archive } = await encryptedBackup(root, recipient)
    await expect(restored(archive, file, root)).rejects.toThrow('is not empty')
    expect(readdirSync(root).some((name) => name.includes('restoring'))).toBe(false)
  })

  test.each([
    ['', 'needs the public key'],
    ['age1nonsense', 'is not a public key'],
    ['AGE-SECRET-KEY-1QQQ', 'not the private one'],
    ['age1\ud800', 'is not a public key'],
  ])('--to %p', async (to, why) => {
    const { root } = directory([10])
    const out = freshFolder()
    await expect(encryptedBackup(root, to, out)).rejects.toThrow(why)
    expect(readdirSync(out)).toEqual([])
  })
})

test('killed, it leaves nothing in the clear outside the data directory, and the next backup clears the rest', async () => {
  const { root } = directory([20_000_000])
  const { recipient } = await keyPair()
  const out = freshFolder()
  for (const moment of [250, 350, 450, 600]) {
    const words = ['backup', '--data', root, '--out', join(out, `${moment}.tar.age`), '--to', recipient]
    const child = Bun.spawn([...fromSource.command, ...words], {
      cwd: fromSource.cwd,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await Promise.race([Bun.sleep(moment), child.exited])
    child.kill('SIGKILL')
    await child.exited
    for (const name of readdirSync(out)) {
      const bytes = readFileSync(join(out, name))
      expect([name, bytes.length === 0 || bytes.subarray(0, 21).toString() === 'age-encryption.org/v1']).toEqual([
        name,
        true,
      ])
    }
  }
  await encryptedBackup(root, recipient, out)
  expect(readdirSync(out).filter((name) => !name.endsWith('.tar.age'))).toEqual([])
  expect(readdirSync(join(root, 'backups'))).toEqual([])
}, 120_000)

const hasAge = Bun.which('age') !== null
describe.skipIf(!hasAge)('with the program age (skipped where it is not installed)', () => {
  const age = (...words: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(['age', ...words])
    expect([exitCode, stderr.toString()]).toEqual([0, ''])
  }

  test('it opens what this program writes', async () => {
    const { root } = directory()
    const { file, recipient } = await keyPair()
    const { archive } = await encryptedBackup(root, recipient)
    const folder = freshFolder()
    age('--decrypt', '--identity', file, '--output', join(folder, 'x.tar'), archive)
    mkdirSync(join(folder, 'out'))
    expect(Bun.spawnSync(['tar', '-xf', join(folder, 'x.tar'), '-C', join(folder, 'out')]).exitCode).toBe(0)
    expect(existsSync(join(folder, 'out', 'manifest.json'))).toBe(true)
    const { call: made } = call({ data: join(folder, 'data') }, [join(folder, 'x.tar')])
    expect(await restore.run(made)).toBe(0)
  })

  test('this program opens what it writes', async () => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    const folder = freshFolder()
    const key = join(folder, 'key.txt')
    expect(Bun.spawnSync(['age-keygen', '-o', key]).exitCode).toBe(0)
    const recipient = /public key: (age1\w+)/.exec(readFileSync(key, 'utf8'))![1]!
    age('--recipient', recipient, '--output', join(folder, 'x.age'), archive)
    expect(contentOf((await restored(join(folder, 'x.age'), key)).data)).toEqual(contentOf(root))
    const { archive: ours } = await encryptedBackup(root, recipient)
    await restored(ours, key)
  })
})

test('a large archive is never in memory: what is read is at most a few MB ahead of what is written', async () => {
  const { recipient } = await keyPair()
  const piece = Buffer.alloc(1 << 20)
  let read = 0
  function* pieces() {
    for (let n = 0; n < 64; n++) {
      read += piece.length
      yield piece
    }
  }
  let [written, ahead] = [0, 0]
  for await (const { length } of encryptPieces(pieces(), [recipient])) {
    written += length
    ahead = Math.max(ahead, read - written)
  }
  expect(written).toBeGreaterThan(64 << 20)
  expect(ahead).toBeLessThan(4 << 20)
})
