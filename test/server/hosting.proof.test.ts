/** The samples of docs/hosting.md: a real nginx serves the first, and systemd and the kernel judge the second. */
import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { listen } from '#server/listen'
import { afterFile } from '../afterFile'
import { world } from '../harness'
import { ask, banner, fromSource, startServer } from '../program'
import { until } from '../until'
import { freshFolder } from './process/folder'
import { openssl } from './tls/openssl'

const samples = [...readFileSync('docs/hosting.md', 'utf8').matchAll(/```text\n([\s\S]*?)```/g)].map(
  ([, text]) => text!,
)
const [nginxSample, unit] = ['log_format trialbox', '[Unit]'].map(
  (word) => samples.find((each) => each.includes(word))!,
) as [string, string]

const nginx = Bun.which('nginx', { PATH: `${process.env.PATH}:/usr/sbin` })
const hasOpenssl = Bun.which('openssl') !== null

/** A port that is free now. */
async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    server.close(() => resolve(port))
  })
  return promise
}

/** nginx with the sample, whose only changes are paths and ports. */
async function startNginx(upstream: number) {
  const folder = freshFolder()
  const [http, https] = [await freePort(), await freePort()]
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, name)) as [string, string]
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=study.example.org',
    '-keyout',
    key,
    '-out',
    cert,
  )
  const site = nginxSample
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${upstream}`)
    .replace('/etc/ssl/study.pem', cert)
    .replace('/etc/ssl/study.key', key)
    .replaceAll('/var/log/nginx', folder)
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name.replace('client_', ''))};`)
    .join('\n')
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, `daemon off; pid ${folder}/pid; events {}\nhttp {\n${temporary}\n${site}\n}\n`)
  const words = ['-p', folder, '-c', config, '-e', join(folder, 'start.log')]
  const child = Bun.spawn([nginx!, ...words], { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  afterFile(() => child.kill())
  const url = `https://127.0.0.1:${https}`
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { Host: 'study.example.org', ...Object(init.headers) },
      tls: { rejectUnauthorized: false },
    })
  await until(async () => (await get('/health').catch(() => undefined)) !== undefined)
  const logs = () =>
    ['trialbox.log', 'error.log', 'start.log']
      .map((name) => join(folder, name))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
  return { http, get, logs }
}

test.skipIf(!nginx || !hasOpenssl)(
  'nginx as the manual says: pages by HTTPS only, addresses of callers, uploads, and no secret in a log',
  async () => {
    const w = world()
    const addresses: (string | null)[] = []
    const service = {
      ...w.service,
      handle: (request: Request, address: string | null, origin?: string) => {
        addresses.push(address)
        return w.service.handle(request, address, origin)
      },
    }
    const server = listen(service, { host: '127.0.0.1', port: 0, forwarded: true })
    const { http, get, logs } = await startNginx(server.port)
    const health = await get('/health', { headers: { 'X-Forwarded-For': '203.0.113.9' } })
    expect([health.status, health.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000'])
    expect(addresses.at(-1)).toBe('127.0.0.1')

    const plain = await fetch(`http://127.0.0.1:${http}/setup/SECRET-1?a=SECRET-2`, {
      redirect: 'manual',
      headers: { Host: 'study.example.org' },
    })
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      'https://study.example.org/setup/SECRET-1?a=SECRET-2',
    ])

    // More than nginx takes without a word in its settings.
    const trial = w.trial()
    const size = 3 << 20
    const query = `forType=trial&forId=${trial}&name=plan.pdf&type=application/pdf&size=${size}`
    const { signedRequestURL } = await w.owner.get<'requestFileUpload'>(`/uploads/file/request?${query}`)
    const { pathname, search } = new URL(`${signedRequestURL}`)
    const upload = await get(`${pathname}${search}`, {
      method: 'PUT',
      body: new Uint8Array(size),
      headers: { 'Content-Type': 'application/pdf' },
    })
    expect(upload.status).toBe(200)

    for (const path of ['/setup/SECRET-3', '/storage/uploads/SECRET-4?signature=SECRET-5', '/calendar/SECRET-6.ics'])
      await get(path, { headers: { Referer: 'https://study.example.org/setup/SECRET-7' } })
    await server.stop()
    expect((await get('/setup/SECRET-8')).status).toBe(502)
    expect(logs()).toMatch(/ PUT 200 /)
    expect(logs()).not.toContain('SECRET')
    expect(logs()).not.toContain(search)
  },
  60_000,
)

const analyzer = Bun.which('systemd-analyze')

test.skipIf(!analyzer)('systemd calls the unit of the manual safe', () => {
  const file = join(freshFolder(), 'trialbox.service')
  writeFileSync(file, unit)
  const { stdout, stderr } = Bun.spawnSync([analyzer!, 'security', '--offline=true', '--no-pager', file])
  const level = /Overall exposure level for trialbox\.service: ([\d.]+)/.exec(`${stdout}`)?.[1]
  expect([`${stderr}`, Number(level) <= 2]).toEqual(['', true])
})

/** Runs a program with the filter of system calls that the unit describes. */
const FILTER = `
import errno, os, re, seccomp, subprocess, sys
def calls(name):
    lines = subprocess.run(['systemd-analyze', 'syscall-filter', name], capture_output=True, text=True).stdout.splitlines()[1:]
    found = set()
    for line in map(str.strip, lines):
        if line and not line.startswith('#'): found |= calls(line) if line.startswith('@') else {line}
    return found
allowed = calls('@default')
for words in re.findall(r'^SystemCallFilter=(.*)$', open(sys.argv[1]).read(), re.M):
    named = set().union(*map(calls, words.lstrip('~').split()))
    allowed = allowed - named if words.startswith('~') else allowed | named
rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
for name in allowed:
    try: rules.add_rule(seccomp.ALLOW, name)
    except Exception: pass # of another processor
rules.load()
os.execv(sys.argv[2], sys.argv[2:])
`
const python = '/usr/bin/python3'
const canFilter =
  analyzer !== null && Bun.which(python) !== null && Bun.spawnSync([python, '-c', 'import seccomp']).exitCode === 0

test.skipIf(!canFilter)(
  'the server works with no other system calls than those that the unit leaves it',
  async () => {
    const folder = freshFolder()
    const [file, script] = [join(folder, 'trialbox.service'), join(folder, 'filter.py')]
    writeFileSync(file, unit)
    writeFileSync(script, FILTER)
    const program = { ...fromSource, command: [python, script, file, ...fromSource.command] }
    const server = await startServer(program, ['--tls', 'off', '--port', '0', '--data', join(folder, 'data')], banner)
    const { url } = server.found
    const health = async () => (await ask(`${url}/health`)).body
    // The check of the database runs in a process of its own.
    await until(async () => (await health()).quickCheck.status === 'ok')
    expect((await health()).status).toBe('ok')
    expect((await server.stop()).code).toBe(0)
  },
  60_000,
)
