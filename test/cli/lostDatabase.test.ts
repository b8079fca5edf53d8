/** Every command that needs the database says so if it is gone, in the words of the server, and does not call it a first start. */
import { expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { command as backup } from '#cli/backup'
import { command as keys } from '#cli/keys'
import { command as log } from '#cli/log'
import { command as users } from '#cli/users'
import { command as verify } from '#cli/verify'
import { systemClock } from '#kernel/time'
import { configure } from '#server/config/settings'
import { examine } from '#server/health/health'
import { openDataDirectory } from '#server/process/dataDirectory'
import { freshFolder } from '../server/process/folder'

/** A directory that a server has used, without its database. */
function lost() {
  const data = freshFolder()
  const { directory, lock, markUsed } = openDataDirectory(data)
  lock.release()
  writeFileSync(directory.database, 'content')
  markUsed()
  rmSync(directory.database)
  return data
}

const email = 'ann@example.org'
test.each([
  ['backup', backup, [], {}],
  ['verify', verify, [], {}],
  ['users list', users, ['list'], {}],
  ['keys list', keys, ['list'], { email }],
  ['log', log, [], {}],
] as const)('%s', async (_, command, words, flags) => {
  const data = lost()
  const before = readdirSync(data).sort()
  const run = async () => command.run({ flags: { data, ...flags }, words: [...words], env: {}, print: () => {} })
  await expect(run()).rejects.toThrow(/has secrets but no database: .* is gone or empty/)
  expect(readdirSync(data).sort()).toEqual(before)
})

test('doctor', async () => {
  const found = await Array.fromAsync(examine(configure({ data: lost(), port: '0' }, {}), systemClock.now()))
  expect(found.find(({ name }) => name === 'database')).toMatchObject({ isFine: false })
})
