/** `trialbox users` and `trialbox keys` on the command line, with and without a running server. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sentenceOf } from '#cli/commands'
import { openDataDirectory } from '#server/process/dataDirectory'
import { ask, banner, fromSource, runProgram, startServer } from '../program'
import { freshFolder } from '../server/process/folder'

const PASSWORD = 'harbour lantern 71'

test('accounts and keys are managed with a running server, which applies the changes at once, and without one', async () => {
  const data = join(freshFolder(), 'data')
  const trialbox = (...words: string[]) => runProgram(fromSource, ...words, '--data', data)
  const server = await startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', data], banner)
  const { url } = server.found

  const added = await trialbox('users', 'add', '--email', 'ann@example.org', '--name', 'Ann Ash', '--team', 'Research')
  expect(added).toMatchObject({ code: 0, err: '' })
  const link = /https?:\S+/.exec(added.out)![0]
  expect(link).toStartWith(`${url}/app/setup/`) // where the running server listens
  const token = link.split('/').at(-1)
  expect((await ask(`${url}/setup/${token}`, { method: 'POST', body: { password: PASSWORD } })).status).toBe(200)

  const words = ['--email', 'ann@example.org', '--name', 'nightly export']
  const key = (await trialbox('keys', 'create', ...words)).out.trim()
  expect((await ask(`${url}/users/me`, { key })).body).toMatchObject({ email: 'ann@example.org', name: 'Ann Ash' })
  expect((await trialbox('keys', 'list', '--email', 'ann@example.org')).out).toContain('nightly export')
  expect(await trialbox('keys', 'revoke', ...words)).toMatchObject({ code: 0 })
  expect((await ask(`${url}/users/me`, { key })).status).toBe(401)
  expect((await server.stop()).code).toBe(0)

  expect(await trialbox('users', 'list')).toMatchObject({ code: 0, err: '' })
  const reset = await trialbox('users', 'reset', '--email', 'ann@example.org', '--public-url', 'https://study.example')
  expect(reset.out).toContain('https://study.example/app/setup/')
  expect((await trialbox('users', 'reset', '--email', 'ann@example.org')).out).toContain('https://127.0.0.1:8443/app/')
  expect((await trialbox('verify')).code).toBe(0)

  const refusals: [string[], string][] = [
    [['users', 'add', '--email', 'x', '--name', 'X', '--team', 'Research'], 'email: Must be an e-mail address.'],
    [['users', 'disable', '--email', 'ann@example.org'], 'without an admin'],
    [['users', 'fly'], 'trialbox users knows list, add, reset, move, disable and enable, not "fly".'],
    [['keys', 'create'], 'This needs --email.'],
    [['keys', 'create', '--name', 'x', '--email', 'nobody@example.org'], 'There is no such account'],
  ]
  for (const [words, says] of refusals) {
    const { code, out, err } = await trialbox(...words)
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 1, out: '', lines: 2 })
    expect(err).toContain(says)
  }
}, 180_000)

test('without a database the command fails, and creates none', async () => {
  const none = join(freshFolder(), 'none')
  expect(await runProgram(fromSource, 'users', 'list', '--data', none)).toMatchObject({
    code: 1,
    err: `trialbox: There is no data directory ${none}: name it with --data.\n`,
  })
  const empty = join(freshFolder(), 'empty')
  openDataDirectory(empty).lock.release()
  expect((await runProgram(fromSource, 'keys', 'list', '--data', empty)).err).toContain('Start the server there once')
})

test('an error of the disk is reported in one line', async () => {
  const folder = freshFolder()
  expect(await runProgram(fromSource, 'restore', folder, '--data', `${folder}/data`)).toMatchObject({
    code: 1,
    out: '',
  })
  const { err } = await runProgram(fromSource, 'restore', folder, '--data', `${folder}/data`)
  expect(err).toMatch(/^trialbox: EISDIR[^\n]*\n$/)
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])
    expect(sentenceOf(Object.assign(new Error('write'), { code }))).toBe('The disk is full. Make room and try again.')
  expect(sentenceOf(new TypeError('a defect'))).toBeUndefined()
})
