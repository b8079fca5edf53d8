import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFault } from '#kernel/fault'
import { openDataDirectory, readDataDirectory } from '#server/process/dataDirectory'
import { isHeld } from '#server/process/lock'
import { freshFolder } from './folder'

const modeOf = (path: string) => statSync(path).mode & 0o777

/** Opens the directory and releases its lock. */
function visit(root: string) {
  const held = openDataDirectory(root)
  held.lock.release()
  return held
}

describe('first start', () => {
  test('creates the folders, which other users cannot read', () => {
    const root = join(freshFolder(), 'deep', 'data')
    const { directory, isNew } = visit(root)
    expect(isNew).toBe(true)
    for (const path of [root, directory.files, directory.exports, directory.backups, directory.tls])
      expect(modeOf(path)).toBe(0o700)
    expect(modeOf(join(root, 'secrets'))).toBe(0o600)
    expect(JSON.parse(readFileSync(join(root, 'secrets'), 'utf8')).secret).toMatch(/^[\w-]{43}$/)
    expect(readdirSync(root).filter((name) => name.includes('tmp'))).toEqual([])
  })

  test('removes the access of other users to an existing folder', () => {
    const root = freshFolder()
    chmodSync(root, 0o755)
    visit(root)
    expect(modeOf(root)).toBe(0o700)
  })

  test('continues after an interrupted one', () => {
    const root = freshFolder()
    mkdirSync(join(root, 'files'))
    writeFileSync(join(root, 'lock'), '')
    writeFileSync(join(root, 'secrets.123.tmp'), '{"form')
    expect(visit(root).isNew).toBe(true)
  })
})

test('a start removes what killed writes of its own files left, and nothing else', () => {
  const root = join(freshFolder(), 'data')
  visit(root)
  for (const name of ['heads.12.later.tmp', 'heads.13.tmp', 'secrets.7.tmp', 'tls/key.pem.9.tmp', 'mine.5.tmp'])
    writeFileSync(join(root, name), 'half')
  visit(root)
  expect(
    [root, join(root, 'tls')].flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('tmp'))),
  ).toEqual(['mine.5.tmp'])
})

describe('a database that is gone', () => {
  test.each([
    ['gone', (path: string) => rmSync(path)],
    ['empty', (path: string) => writeFileSync(path, '')],
  ])('is not taken for a first start: %s', (_, lose) => {
    const root = freshFolder()
    const held = openDataDirectory(root)
    held.lock.release()
    visit(root) // a first start that was interrupted before the database was made
    writeFileSync(held.directory.database, 'content')
    held.markUsed()
    expect(JSON.parse(readFileSync(join(root, 'secrets'), 'utf8'))).not.toHaveProperty('isUnused')
    visit(root)
    lose(held.directory.database)
    const before = readdirSync(root).sort()
    expect(() => openDataDirectory(root)).toThrow(/has secrets but no database: .* is gone or empty/)
    expect(readdirSync(root).sort()).toEqual(before)
    expect(isHeld(root)).toBe(false)
  })
})

describe('later starts', () => {
  test('keep the secret, and remove the access of other users again', () => {
    const root = freshFolder()
    const first = visit(root).directory.keysFor('storage')
    const before = readFileSync(join(root, 'secrets'), 'utf8')
    chmodSync(join(root, 'secrets'), 0o644)
    const { directory, isNew } = visit(root)
    expect(isNew).toBe(false)
    expect(directory.keysFor('storage')).toEqual(first)
    expect(readFileSync(join(root, 'secrets'), 'utf8')).toBe(before)
    expect(modeOf(join(root, 'secrets'))).toBe(0o600)
  })

  test('each purpose and each directory has a key of its own', () => {
    const [one, other] = [visit(freshFolder()).directory, visit(freshFolder()).directory]
    const keys = [one.keysFor('storage'), one.keysFor('sessions'), other.keysFor('storage')].map(([key]) =>
      Buffer.from(key.secret),
    )
    expect(keys.map((key) => key.length)).toEqual([32, 32, 32])
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3)
  })
})

describe('refusals', () => {
  const cases: [string, (root: string) => void, RegExp][] = [
    [
      'files of others',
      (root) => writeFileSync(join(root, 'thesis.doc'), ''),
      /is not empty and no data .*thesis\.doc/,
    ],
    ['a database without secrets', (root) => writeFileSync(join(root, 'trialbox.db'), ''), /no secrets file beside it/],
    ['a damaged secrets file', (root) => writeFileSync(join(root, 'secrets'), '{"format":1,"secr'), /is damaged/],
    [
      'a secrets file that lacks the secret',
      (root) => writeFileSync(join(root, 'secrets'), '{"format":1}'),
      /is damaged/,
    ],
    ['a secrets file of null', (root) => writeFileSync(join(root, 'secrets'), 'null'), /is damaged/],
    [
      'a newer version',
      (root) => {
        const secret = 'a'.repeat(43)
        writeFileSync(join(root, 'secrets'), JSON.stringify({ format: 4, madeBy: '9.1.0+abc', secret }))
      },
      /was made by Trialbox 9\.1\.0\+abc, which is newer than this one/,
    ],
  ]
  test.each(cases)('%s', (_name, prepare, sentence) => {
    const root = freshFolder()
    prepare(root)
    const before = readdirSync(root)
    for (const open of [openDataDirectory, readDataDirectory]) {
      let refused: unknown
      try {
        open(root)
      } catch (error) {
        refused = error
      }
      expect(isFault(refused)).toBe(true)
      expect((refused as Error).message).toMatch(sentence)
    }
    // Foreign files stay as they were.
    if (!existsSync(join(root, 'secrets'))) expect(readdirSync(root)).toEqual(before)
  })

  test('a file, and a folder below a file', () => {
    const file = join(freshFolder(), 'file')
    writeFileSync(file, '')
    expect(() => openDataDirectory(file)).toThrow(/is a file, not a directory/)
    expect(() => openDataDirectory(join(file, 'below'))).toThrow(/cannot be made \(ENOTDIR\)/)
  })

  test.skipIf(process.getuid?.() === 0)('a folder that this user cannot write to', () => {
    const root = freshFolder()
    chmodSync(root, 0o500)
    expect(() => openDataDirectory(root)).toThrow(/cannot be written by this user/)
    chmodSync(root, 0o700)
  })

  test('reading a missing directory creates nothing', () => {
    const root = join(freshFolder(), 'none')
    expect(() => readDataDirectory(root)).toThrow(/There is no data directory/)
    expect(existsSync(root)).toBe(false)
  })

  test('a refused directory is not locked', () => {
    const root = freshFolder()
    visit(root)
    const secrets = readFileSync(join(root, 'secrets'))
    writeFileSync(join(root, 'secrets'), 'x')
    expect(() => openDataDirectory(root)).toThrow(/is damaged/)
    writeFileSync(join(root, 'secrets'), secrets)
    expect(visit(root).isNew).toBe(false)
  })
})
