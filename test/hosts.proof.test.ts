/** Under which names a server is reached, and what it does for the process around it. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { world } from './harness'
import { fromSource, runProgram, startServer } from './program'
import { freshFolder } from './server/process/folder'

test.each([
  'http://a',
  'http://nas',
  'https://a',
  'https://ab',
  'https://nas',
  'http://x.y',
  'https://127.0.0.1:8443',
  'http://[::1]:8443',
  'https://study.example.org',
])('a server can be called %s', async (origin) => {
  const here = world()
  const ask = async (method: string, path: string, body?: string) => {
    const headers = {
      ...here.owner.credentials,
      'Content-Type': 'application/json',
      'Content-Length': `${body?.length}`,
    }
    const request = new Request(origin + path, { method, headers, ...(body ? { body } : {}) })
    return here.service.handle(request, '192.0.2.1')
  }
  expect((await ask('GET', '/health')).status).toBe(200)
  const trial = await (await ask('POST', `/teams/${here.team}/trials?unused`, '{"name":"Sleep"}')).json()
  expect(trial).toMatchObject({ validations: { query: { unused: expect.anything() } } })
  const { name } = await (await ask('POST', `/teams/${here.team}/trials`, '{"name":"Sleep"}')).json()
  expect(name).toBe('Sleep')
})

test('links in an answer begin with the address that the proxy reports; those in messages never do', async () => {
  const here = world()
  const [trial, origin] = [here.trial(), 'https://study.example.org']
  const anna = await here.owner.do('registerParticipants', trial, { participantId: 'P-1' })
  const headers = { ...here.owner.credentials, 'Content-Type': 'application/json' }
  const ask = async (method: string, path: string, body?: object) => {
    const text = body && JSON.stringify(body)
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { ...headers, 'Content-Length': `${text?.length ?? 0}` },
      ...(text ? { body: text } : {}),
    })
    return (await here.service.handle(request, '192.0.2.1', origin)).json()
  }
  const grant = await ask('POST', `/trials/${trial}/participants/${anna._id}/grants`, {})
  expect(grant.url).toStartWith(`${origin}/join?grant=`)
  const invited = await ask('POST', `/teams/${here.team}/users`, {
    email: 'n@a.example',
    name: 'Nora',
    permissions: [],
  })
  expect(invited.setupUrl).not.toContain(origin)
  const mail = here.db.$client.query<{ body: string }, []>('SELECT body FROM outbox').all()
  expect(mail).not.toEqual([])
  expect(JSON.stringify(mail)).not.toContain(origin)
})

test('a port that is taken ends the start at once, and leaves the directory free', async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) =>
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
  )
  const data = freshFolder()
  // A timer that is left keeps the process alive after its message; the message itself comes at once.
  const child = Bun.spawn([...fromSource.command, 'serve', '--data', data, '--tls', 'off', '--port', `${port}`], {
    cwd: fromSource.cwd,
    env: { PATH: process.env.PATH! },
    stderr: 'pipe',
    stdout: 'ignore',
  })
  const { value } = await child.stderr.getReader().read()
  expect(new TextDecoder().decode(value)).toContain('another program uses it')
  const ended = await Promise.race([child.exited, Bun.sleep(30_000)])
  expect(ended).toBe(1)
  other.close()
})

test('only its owner can read what a server writes; SIGHUP does not end it', async () => {
  const data = freshFolder()
  const server = await startServer(fromSource, ['--data', data, '--tls', 'off', '--port', '0'], (out) =>
    /started/.exec(out),
  )
  process.kill(server.pid, 'SIGHUP')
  const modes = readdirSync(data).map((name) => [name, statSync(join(data, name)).mode & 0o077])
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([])
  expect(existsSync(join(data, 'trialbox.db'))).toBe(true)
  expect((await server.stop()).code).toBe(0)
})

test('a reader that goes away leaves no stack trace', async () => {
  const { command, cwd } = fromSource
  const child = Bun.spawn(['sh', '-c', `${command.map((word) => `'${word}'`).join(' ')} openapi | head -c 1`], {
    cwd,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await new Response(child.stdout).text()).toBe('{')
  expect((await new Response(child.stderr).text()).trim()).toBe('')
  expect((await runProgram(fromSource, 'openapi')).code).toBe(0)
})
