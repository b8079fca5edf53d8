/** The executable alone, as people download it: without source, modules or programs on the PATH. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceVersion } from '#kernel/version'
import { afterFile } from './afterFile'
import { workbookBomb } from './exchange/bombs'
import { workbook } from './exchange/imports/files'
import { mailServer } from './outbox/mailServer'
import { device, service } from './outbox/pushService'
import { ask, banner, builtProgram, firstKey, type Program, runProgram, startServer, testServerLine } from './program'
import { bun, freshFolder, root } from './server/process/folder'

let trialbox: Program

beforeAll(() => {
  trialbox = builtProgram()
}, 180_000)

const lines = (out: string) => out.trimEnd().split('\n')

describe('commands', () => {
  test('print version and help', async () => {
    expect((await runProgram(trialbox, 'version')).out).toStartWith(`trialbox ${serviceVersion} (`)
    const help = await runProgram(trialbox, '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toContain('serve')
    expect((await runProgram(trialbox, 'serve', '--help')).out).toContain('trialbox serve --test --port 0')
  })

  test('print the OpenAPI document', async () => {
    const { code, out } = await runProgram(trialbox, 'openapi')
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(out).paths)).toContain('/trials/{trialId}/groups')
  })

  test('print the client', async () => {
    const { code, out } = await runProgram(trialbox, 'openapi', '--client', 'ts')
    expect(code).toBe(0)
    expect(out).toContain(
      '  createGroup(options: CallOptions & { params: { trialId: string }; body: GroupInput }): Promise<Group>',
    )
  })
})

describe('a test server', () => {
  test('serves every page with its parts, refuses values out of bounds, and accepts writes', async () => {
    const server = await startServer(trialbox, ['--test', '--port', '0'], testServerLine)
    const { url, apiKey: key, team, email, password } = server.found
    expect((await ask(`${url}/health`)).body).toMatchObject({ status: 'ok', version: serviceVersion })
    const pages: [string, string, number][] = [
      ['/', 'text/html', 500],
      ['/account', 'text/html', 500],
      ['/docs', 'text/html', 200],
      ['/ui', 'text/html', 500],
      ['/app/sw.js', 'text/javascript', 300],
      ['/openapi.json', 'application/json', 10_000],
    ]
    // What the pages load, out of the pack in the executable: the whole text, whether it is sent compressed or not.
    const files = new Set<string>()
    for (const path of ['/', '/account', '/docs', '/ui', '/manual', '/setup/none']) {
      const { text } = await ask(url + path, { headers: { Accept: 'text/html' } })
      for (const [, file] of text.matchAll(/(?:href|src)="(\/web\/[^"]+)"/g)) files.add(file!)
    }
    expect(files.size).toBeGreaterThan(12)
    const plain: Record<string, string> = {}
    for (const path of files) {
      const sent = await ask(url + path, { headers: { 'Accept-Encoding': 'identity' } })
      const packed = await ask(url + path, { headers: { 'Accept-Encoding': 'br' } })
      const kept = sent.headers.get('cache-control')
      expect([path, sent.status, kept]).toEqual([path, 200, 'public, max-age=31536000, immutable'])
      expect([path, packed.headers.get('content-encoding'), packed.text === sent.text]).toEqual([path, 'br', true])
      plain[path.replace(/-\w+\./, '.')] = sent.text
    }
    expect(plain['/web/style.css']).toContain('prefers-color-scheme')
    expect(plain['/web/swagger-ui.js']!.length).toBeGreaterThan(1_000_000)
    for (const [path, type, least] of pages) {
      const { status, headers, text } = await ask(url + path)
      expect({ path, status, type: headers.get('content-type')?.split(';')[0] }).toEqual({ path, status: 200, type })
      expect(text.length).toBeGreaterThan(least)
    }

    const { body: trial } = await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Trial' } })
    const { body: stage } = await ask(`${url}/trials/${trial._id}/stages`, {
      method: 'POST',
      key,
      body: { name: 'Visit' },
    })
    // Their libraries and typefaces are embedded.
    for (const [format, start] of [
      ['pdf', '%PDF'],
      ['docx', 'PK'],
    ]) {
      const { body } = await ask(`${url}/stages/${stage._id}?format=${format}`, { key })
      expect((await ask(body.url)).text).toStartWith(start!)
    }
    // A build that shortens names would silently remove these bounds.
    const over = await ask(`${url}/trials/${trial._id}/logs?limit=1000000001`, { key })
    expect(over).toMatchObject({
      status: 422,
      body: { validations: { query: { limit: ['Must be at most 1000000000.'] } } },
    })
    const groups = `${url}/trials/${trial._id}/groups`
    expect((await ask(groups, { method: 'POST', key, body: { name: 'A' } })).status).toBe(422)
    expect((await ask(groups, { method: 'POST', key, body: { name: 'Arm A' } })).status).toBe(200)
    expect((await ask(groups, { key })).body.groups).toMatchObject([{ name: 'Arm A' }])

    expect((await ask(`${url}/sessions`, { method: 'POST', body: { email, password } })).status).toBe(200)
    const moved = await ask(`${url}/test/clock`, { method: 'PUT', body: { advance: 'P30D' } })
    expect(Date.parse(moved.body.now)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect((await ask(`${url}/test/reset`, { method: 'POST', body: {} })).body).toEqual(server.found)
    expect((await ask(groups, { key })).status).toBe(404)
    const { code, out } = await server.stop('SIGINT')
    expect({ code, out: lines(out) }).toEqual({ code: 0, out: [JSON.stringify(server.found)] })
  }, 180_000)
})

describe('messages', () => {
  test('are sent by e-mail and push, with the embedded libraries', async () => {
    const mail = await mailServer()
    const push = service()
    const messages = ['--smtp-url', `smtp://127.0.0.1:${mail.port}`, '--mail-from', 'Study <study@example.org>']
    const notified = ['--push-subject', 'mailto:study@example.org', '--push-services', '127.0.0.1']
    const server = await startServer(trialbox, ['--test', '--port', '0', ...messages, ...notified], testServerLine)
    const { url, apiKey: key, team } = server.found
    const done = async (method: string, path: string, body?: unknown, as = key) => {
      const answer = await ask(url + path, { method, key: as, body })
      expect([path, answer.status]).toEqual([path, 200])
      return answer.body
    }
    const trial = `/trials/${(await done('POST', `/teams/${team}/trials`, { name: 'Trial' }))._id}`
    await done('PUT', trial, { code: 'breath' })
    const reminder = { hour: 1, title: 'Diary', body: 'Please.', sendVia: ['email', 'push'] }
    await done('POST', `${trial}/stages`, { name: 'Diary', reminders: [reminder] })
    const password = 'owl in june'
    const { _id } = await done('POST', `${trial}/participants`, { participantId: 'P-1', password })
    await done('PUT', `${trial}/participants/${_id}`, { email: 'anna@example.org' })
    const credentials = { trialCode: 'breath', participantId: 'P-1', password }
    const { token } = await done('POST', '/participants/sessions', credentials)
    const phone = device(push.origin)
    await done('PUT', '/participants/me/pushToken', { pushToken: phone.token }, token)
    await done('PUT', '/test/clock', { advance: 'PT1H' })
    expect(mail.mails).toMatchObject([{ from: 'study@example.org', to: ['anna@example.org'] }])
    expect(push.sent.map(({ body }) => phone.decrypt(body))).toEqual([{ title: 'Diary', body: 'Please.' }])
    const { messages: log } = await done('GET', `${trial}/logs/communication`)
    expect(log).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
    const { code, err } = await server.stop()
    expect(code).toBe(0)
    expect(err).toContain('message sent')
    expect(err).not.toMatch(/anna|Please/)

    const doctor = ['doctor', '--tls', 'off', '--port', '0', '--data', freshFolder(), ...messages]
    const found = await runProgram(trialbox, ...doctor)
    expect(found.out).toMatch(/^ok {5}e-mail +127\.0\.0\.1:\d+ accepts the sign-in$/m)
    expect(found.out).toMatch(/^ok {5}SMS gateway +not configured: such messages wait in the outbox$/m)
    mail.close()
    const gone = await runProgram(trialbox, ...doctor)
    expect(gone.out).toMatch(/^fault {2}e-mail +127\.0\.0\.1:\d+ cannot be used: .+$/m)
    expect(gone.code).toBe(1)
  }, 180_000)
})

describe('a server', () => {
  test('serves HTTPS with the certificate of its banner, and keeps its data over a restart', async () => {
    const data = join(freshFolder(), 'data')
    const words = ['--port', '0', '--data', data]
    let server = await startServer(trialbox, words, banner)
    const { url, fingerprint, setup } = server.found
    expect(url).toStartWith('https://127.0.0.1:')
    expect(setup).toStartWith(`${url}/setup/`)
    const shown = await shownCertificate(url)
    expect(shown.fingerprint256).toBe(fingerprint!)
    expect(shown.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(readFileSync(join(data, 'tls/cert.pem'), 'utf8')).toContain('BEGIN CERTIFICATE')

    const { key, team } = await firstKey(url, setup!)
    const trial = await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Trial' } })
    expect(trial.status).toBe(200)
    expect((await ask(`${url}/test/clock`, { method: 'PUT', body: { advance: 'P1D' } })).status).toBe(404)
    expect(existsSync(join(data, 'trialbox.db-wal'))).toBe(true)

    const second = await runProgram(trialbox, 'serve', ...words)
    expect(second).toMatchObject({ code: 1, out: '' })
    expect(second.err).toContain(`is in use by another Trialbox (process ${server.pid}, ${url})`)
    expect((await runProgram(trialbox, 'verify', '--data', data)).code).toBe(0) // while the server runs
    expect((await runProgram(trialbox, 'users', 'list', '--data', data)).out).toContain('olga@example.org')
    expect((await runProgram(trialbox, 'keys', 'list', '--email', 'olga@example.org', '--data', data)).out).toContain(
      'tbk_',
    )
    const archive = join(freshFolder(), 'backup.tar')
    expect(await runProgram(trialbox, 'backup', '--data', data, '--out', archive)).toMatchObject({ code: 0, err: '' })
    const elsewhere = join(freshFolder(), 'elsewhere')
    expect(await runProgram(trialbox, 'restore', archive, '--data', elsewhere)).toMatchObject({ code: 0, err: '' })
    expect((await runProgram(trialbox, 'verify', '--data', elsewhere)).code).toBe(0)
    expect((await ask(`${url}/metrics`)).text).toContain('trialbox_requests_total')

    const stopped = await server.stop()
    expect(stopped.code).toBe(0)
    expect(stopped.out + stopped.err).not.toContain(key)
    expect(existsSync(join(data, 'trialbox.db-wal'))).toBe(false)
    expect(existsSync(join(data, 'lock.json'))).toBe(false)

    server = await startServer(trialbox, words, banner)
    expect(server.found).toMatchObject({ fingerprint, setup: undefined })
    const trials = await ask(`${server.found.url}/teams/${team}/trials`, { key })
    expect(trials.body.trials).toMatchObject([{ _id: trial.body._id }])
    expect((await server.stop()).code).toBe(0)
  }, 180_000)

  test('with --log json writes only the log to stdout', async () => {
    const data = join(freshFolder(), 'data')
    const words = ['--tls', 'off', '--port', '0', '--data', data, '--log', 'json']
    const server = await startServer(trialbox, words, (out) => (out.includes('started') ? true : undefined))
    const { code, out, err } = await server.stop()
    expect(code).toBe(0)
    for (const line of lines(out)) expect(JSON.parse(line)).toMatchObject({ level: 'info' })
    expect(err).toContain('listening')
  }, 180_000)
})

describe('in a folder with settings', () => {
  test('ignores .env files, and a whole study succeeds', async () => {
    const folder = freshFolder()
    const [path] = trialbox.command as [string]
    writeFileSync(join(folder, '.env'), 'TRIALBOX_PORT=abc\n')
    const run = (...words: string[]) => Bun.spawnSync([path, ...words], { cwd: folder, env: {} })
    expect(run('version').stdout.toString()).toStartWith(`trialbox ${serviceVersion} (`)
    const examined = run('doctor', '--tls', 'off', '--data', join(folder, 'none'))
    expect(examined.stderr.toString()).toBe('')
    expect(examined.stdout.toString()).toContain('is not there yet')
    expect(run('doctor', '--port', 'abc').exitCode).toBe(1)

    // A whole study uses embedded files, worker threads, and the reading of exports.
    const demo = Bun.spawn([path, 'demo', '--participants', '6', '--port', '0', '--tls', 'off'], {
      cwd: folder,
      env: {},
      stdout: 'pipe',
      stderr: 'inherit',
    })
    afterFile(() => demo.kill('SIGKILL'))
    let shown = ''
    for await (const piece of demo.stdout) if ((shown += new TextDecoder().decode(piece)).includes('Stop with')) break
    expect(shown).toContain('all results match what was sent')
    const data = /data +(\S+)/.exec(shown)![1]!
    expect(existsSync(data)).toBe(true)
    demo.kill('SIGTERM')
    expect(await demo.exited).toBe(0)
    expect(existsSync(data)).toBe(false)
  }, 180_000)
})

test('it reads files that people send in processes of its own, with limits', async () => {
  const server = await startServer(trialbox, ['--test', '--port', '0'], testServerLine)
  const { url, apiKey: key, team } = server.found
  const { _id: trial } = (await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Trial' } }))
    .body
  const imported = (bytes: Uint8Array) => {
    const importData = { source: 'xlsform', content: Buffer.from(bytes).toString('base64') }
    const path = `${url}/trials/${trial}/stages?creationType=importFromExternalTool`
    return ask(path, { method: 'POST', key, body: { importData } })
  }
  const form = workbook({
    survey: [
      ['type', 'name', 'label'],
      ['text', 'a', 'A'],
    ],
  })
  expect((await imported(form)).status).toBe(200)
  const { status, body } = await imported(workbookBomb(40_000, 90))
  expect({ status, limit: body.details.limit }).toEqual({ status: 400, limit: { megabytes: 768 } })
  expect((await imported(form)).status).toBe(200)
  await server.stop()
}, 180_000)

test('no executable is built for an unknown platform', () => {
  const built = Bun.spawnSync([bun, 'scripts/build.ts', '--target', 'plan9'], { cwd: root })
  expect(built.exitCode).toBe(1)
  expect(built.stderr.toString()).toContain('There is no target "plan9": choose linux-x64')
})

/** The certificate that a server presents. */
async function shownCertificate(url: string): Promise<X509Certificate> {
  const { promise, resolve, reject } = Promise.withResolvers<X509Certificate>()
  const { connect } = await import('node:tls')
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
    resolve(new X509Certificate(socket.getPeerCertificate(true).raw))
    socket.end()
  })
  socket.on('error', reject)
  return promise
}
