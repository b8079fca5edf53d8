/** Every command says in a sentence that a person understands why it cannot use a data directory, and changes nothing in it. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '#cli/command'
import { commands, sentenceOf } from '#cli/commands'
import { systemClock } from '#kernel/time'
import { openUpgraded } from '#server/backup/upgrade'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { openDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'

/** A directory whose server was stopped before it had made its database, or one that was used. */
function directory(isUsed: boolean) {
  const data = freshFolder()
  const { directory, lock, markUsed } = openDataDirectory(data)
  lock.release()
  if (isUsed) {
    openUpgraded(directory.database, directory.backups).close()
    markUsed()
  }
  return { data, database: directory.database }
}

const CALLS: readonly (readonly [string, string[], Record<string, string | true>])[] = [
  ['users', ['list'], {}],
  ['users', ['add'], { email: 'ann@example.org', name: 'Ann', team: 'Team' }],
  ['keys', ['list'], { email: 'ann@example.org' }],
  ['secrets', ['list'], {}],
  ['secrets', ['rotate'], {}],
  ['secrets', ['forget'], {}],
  ['log', [], {}],
  ['backup', [], {}],
  ['rollback', [], {}],
  ['verify', [], {}],
  ['verify', [], { quick: true }],
  ['repair', [], { derived: true }],
  ['clock', ['accept'], {}],
]

/** What each command says, on stdout and as its fault. */
async function said(name: string, words: string[], flags: Record<string, string | true>): Promise<string> {
  const lines: string[] = []
  const command = commands.find((each) => each.name === name) as Command
  try {
    const code = await command.run({ flags, words, env: {}, print: (line) => void lines.push(line) })
    return [...lines, `code ${code}`].join('\n')
  } catch (error) {
    return [...lines, sentenceOf(error)].join('\n')
  }
}

const states: readonly (readonly [string, () => string, RegExp])[] = [
  [
    'a first start that ended before there was a database',
    () => directory(false).data,
    /^There are no data in .* yet\. Start the server/,
  ],
  [
    'one that ended while it made the database',
    () => {
      const { data, database } = directory(false)
      const sqlite = new Database(database)
      sqlite.run('PRAGMA journal_mode = WAL')
      sqlite.close()
      return data
    },
    /^There are no data in .* yet\. Start the server/,
  ],
  [
    'a file that is no database',
    () => {
      const { data, database } = directory(true)
      writeFileSync(database, Buffer.alloc(100_000, 'no database'))
      for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true })
      return data
    },
    /The database is damaged\. Stop the server/,
  ],
  [
    'the first half of a database',
    () => {
      const { data, database } = directory(true)
      truncateSync(database, 200_000)
      return data
    },
    /The database is damaged\. Stop the server/,
  ],
  [
    'the database of another program',
    () => {
      const { data, database } = directory(true)
      rmSync(database)
      const sqlite = new Database(database)
      sqlite.run('CREATE TABLE notes (a); INSERT INTO notes VALUES (1)')
      sqlite.close()
      return data
    },
    /^The file trialbox\.db is the database of another program\./,
  ],
]

test.each(states)('%s', async (_what, make, sentence) => {
  const made = make()
  for (const [name, words, flags] of CALLS) {
    const data = join(freshFolder(), 'data')
    cpSync(made, data, { recursive: true })
    const secrets = readFileSync(join(data, 'secrets'), 'utf8')
    const before = readdirSync(data).filter((each) => !each.startsWith('trialbox.db-') && each !== 'lock')
    const text = await said(name, words, { data, ...flags })
    expect(`${name} ${words}: ${text.match(sentence) ? 'says it' : text}`).toBe(`${name} ${words}: says it`)
    expect(readdirSync(data).filter((each) => !each.startsWith('trialbox.db-') && each !== 'lock')).toEqual(before)
    expect(readFileSync(join(data, 'secrets'), 'utf8')).toBe(secrets)
  }
})

test('a server does not upgrade the database of another program', () => {
  const { database } = directory(false)
  const sqlite = new Database(database)
  sqlite.run('CREATE TABLE notes (a)')
  sqlite.close()
  expect(() => openUpgraded(database, join(database, '..', 'backups'))).toThrow('of another program')
})

test('doctor says of a file that it is one', async () => {
  const file = join(freshFolder(), 'file')
  writeFileSync(file, 'x')
  const found = await Array.fromAsync(examine(configure({ data: file, port: '0' }, {}), systemClock.now()))
  expect(found.find(({ name }) => name === 'data directory')).toMatchObject({
    isFine: false,
    detail: `${file} is a file, not a directory: choose another with --data.`,
  })
})

test('what the machine refuses is said in a sentence', () => {
  const says = (code: string, message: string, path?: string) =>
    sentenceOf(Object.assign(new Error(message), { code, path }))
  expect(says('EACCES', 'EACCES: permission denied', '/srv/x/secrets')).toBe(
    'This user cannot read or write /srv/x/secrets (EACCES). Run the command as the user of the server, or change the owner of the file.',
  )
  for (const code of ['SQLITE_READONLY', 'SQLITE_READONLY_DIRECTORY', 'SQLITE_CANTOPEN'])
    expect(says(code, 'attempt to write a readonly database')).toStartWith(
      'This user cannot open or write the database.',
    )
  expect(says('SQLITE_BUSY', 'database is locked')).toStartWith('Another program is using the database.')
  expect(says('SQLITE_IOERR_READ', 'disk I/O error')).toStartWith('The disk with the database cannot be read')
})
