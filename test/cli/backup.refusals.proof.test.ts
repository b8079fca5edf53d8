import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { drizzleOf } from '#db/open'
import { openDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'
import { backedUp, call, contentOf, directory, restored } from './backup.study'

describe('a refused restore leaves nothing behind', () => {
  const changes: [string, (bytes: Buffer) => Buffer, RegExp][] = [
    ['a byte of the database', (bytes) => flip(bytes, bytes.indexOf('SQLite format 3') + 5000), /damaged|not what/],
    ['a byte of an upload', (bytes) => flip(bytes, bytes.indexOf(Buffer.alloc(513, 5)) + 100), /is not what was kept/],
    ['a byte of the secrets', (bytes) => flip(bytes, 512 + 60), /damaged/],
    ['a byte of the manifest', (bytes) => flip(bytes, bytes.lastIndexOf('"schema"') + 3), /damaged/],
    ['a byte of a name', (bytes) => flip(bytes, bytes.lastIndexOf('files/') + 2), /damaged/],
    ['its end', (bytes) => bytes.subarray(0, bytes.length - 2000), /cut short/],
    ['its second half', (bytes) => bytes.subarray(0, bytes.length >> 1), /cut short/],
    ['all of it', (bytes) => Buffer.alloc(bytes.length, 'no backup'), /is no backup/],
    ['everything after a name', (bytes) => bytes.subarray(0, 512), /cut short/],
    ['another file at its beginning', (bytes) => Buffer.concat([named('evil', 'x'), bytes]), /holds "evil"/],
    ['a path outside the folder', (bytes) => Buffer.concat([named('../evil', 'x'), bytes]), /holds "\.\.\/evil"/],
    ['the secrets twice', (bytes) => Buffer.concat([bytes.subarray(0, 1024), bytes]), /holds "secrets"/],
  ]
  function flip(bytes: Buffer, at: number): Buffer {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    return changed
  }
  /** An entry of an archive that `tar` creates. */
  function named(name: string, content: string): Buffer {
    const folder = freshFolder()
    mkdirSync(join(folder, 'in'))
    writeFileSync(join(folder, name.replace('../', '')), content)
    const tar = Bun.spawnSync(['tar', '--format=ustar', '-P', '-cf', '-', name], {
      cwd: join(folder, name.startsWith('..') ? 'in' : '.'),
    })
    return Buffer.from(tar.stdout.subarray(0, 1024))
  }
  test.each(changes)('%s changed', async (_what, change, says) => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    writeFileSync(archive, change(readFileSync(archive)))
    const folder = freshFolder()
    const error = await restored(archive, join(folder, 'data')).catch((error) => error as Error)
    expect((error as Error).name).toBe('Fault')
    expect((error as Error).message).toMatch(says)
    expect(readdirSync(folder)).toEqual([])
    const there = join(folder, 'there')
    mkdirSync(there)
    expect(await restored(archive, there).then(Boolean, () => false)).toBe(false)
    expect(readdirSync(there)).toEqual([])
  })

  test('an intact archive with a changed entry of the audit trail', async () => {
    const { root } = directory()
    const sqlite = new Database(join(root, 'trialbox.db'))
    const entry = { chain: 'service', createdAt: 1, type: 'test', userType: 'system' as const, event: {} }
    const { appendEntry: append } = await import('#audit/append')
    append(drizzleOf(sqlite), entry)
    sqlite.run(`DROP TRIGGER auditIsNotChanged; UPDATE auditEntries SET event = '{"n":1}' WHERE type = 'test'`)
    sqlite.close()
    const { lines, call: made } = call({ data: root, out: freshFolder() })
    await expect(backup.run(made)).rejects.toThrow('refuses it, and so it is named')
    expect(lines.join('\n')).toMatch(/^fault {2}audit trail: entry 2 of chain service/m)
    const archive = lines[0]!
    expect(archive).toEndWith('.damaged.tar')
    await expect(restored(archive)).rejects.toThrow(
      /^The backup cannot be restored, audit trail: entry 2 of chain service/,
    )
  })

  test('a directory that is not empty, and one in use', async () => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    const before = contentOf(root)
    await expect(restored(archive, root)).rejects.toThrow('is not empty')
    const { lock } = openDataDirectory(root)
    await expect(restored(archive, root)).rejects.toThrow('is in use by a running Trialbox')
    lock.release()
    expect(contentOf(root)).toEqual(before)
  })

  test('a backup is never overwritten', async () => {
    const { root } = directory()
    const { archive } = await backedUp(root)
    const bytes = readFileSync(archive)
    await expect(backup.run(call({ data: root, out: archive }).call)).rejects.toThrow('never written over')
    expect(readFileSync(archive).equals(bytes)).toBe(true)
  })
})
