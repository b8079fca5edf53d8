/** A running server takes up another certificate, and nobody who is connected notices. */
import { afterEach, expect, test } from 'bun:test'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { Services } from '#http/services'
import { DAY, type Instant, systemClock } from '#kernel/time'
import { configure } from '#server/config/settings'
import { listen } from '#server/listen'
import type { Service } from '#server/service'
import { makeAuthority, signFor } from '#server/tls/authority'
import { type Certificate, certificateFor } from '#server/tls/certificate'
import { giveAuthority, installCertificate, removeInstalled, replaceAuthority } from '#server/tls/manage'
import { watchCertificate } from '#server/tls/renewal'
import { freshFolder } from '../process/folder'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each()
})

const config = configure({}, {})
const start = systemClock.now()
const certificateIn = async (folder: string, at = start) => (await certificateFor(config, folder, at))!

/** A server whose answers wait for `release`. */
function serving(certificate: Certificate) {
  const held = Promise.withResolvers<void>()
  let arrived = 0
  const service = {
    services: { version: '1.0.0+abc', fault: () => {} } as unknown as Services,
    operations: async () => [],
    onRequest: () => {},
    closeRooms: async () => {},
    async handle(incoming: Request) {
      arrived++
      if (incoming.url.endsWith('/slow')) await held.promise
      return Response.json({ ok: true })
    },
  } as unknown as Service
  const server = listen(service, { host: '127.0.0.1', port: 0, certificate })
  closing.push(server.stop)
  return { ...server, release: held.resolve, arrived: () => arrived }
}

/** The fingerprint of the certificate that a new connection gets. */
const shownAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256)
      socket.destroy()
    })
    socket.once('error', reject)
  })

const get = (port: number, path: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, agent, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode!))
    })
    asked.once('error', reject)
    asked.end()
  })

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)(
  'new connections get the new certificate; requests under way and kept connections go on',
  async () => {
    const [first, second] = [await certificateIn(freshFolder()), await certificateIn(freshFolder())]
    const { port, replaceCertificate, release, arrived } = serving(first)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    closing.push(() => agent.destroy())
    expect([await shownAt(port), await get(port, '/x', agent)]).toEqual([first.fingerprint, 200])
    const slow = get(port, '/slow', new Agent())
    while (arrived() < 2) await Bun.sleep(1)
    expect(replaceCertificate(second)).toBe(true)
    expect([await shownAt(port), await shownAt(port)]).toEqual([second.fingerprint, second.fingerprint])
    expect(await get(port, '/x', agent)).toBe(200)
    release()
    expect(await slow).toBe(200)
  },
)

test('two servers do not share a port', async () => {
  const certificate = await certificateIn(freshFolder())
  const { port } = serving(certificate)
  const again = () => listen({ services: {} } as unknown as Service, { host: '127.0.0.1', port, certificate })
  expect(again).toThrow(/another program uses it/)
})

/** A watched directory without a server, whose clock the test moves. */
async function watched() {
  const folder = freshFolder()
  const lines: string[] = []
  let [now, shown] = [start, await certificateIn(folder)]
  const renewal = watchCertificate(config, folder, shown, {
    now: () => now,
    show(next) {
      shown = next
      return true
    },
    log: (level, line) => lines.push(`${level}: ${line}`),
  })
  closing.push(renewal.close)
  return {
    ...{ folder, said: lines, renewal },
    shown: () => shown,
    at(next: Instant) {
      now = next
      return renewal.look()
    },
  }
}

test('a certificate is renewed while the server runs, a month before its end', async () => {
  const { at, shown, said: lines, renewal } = await watched()
  const first = shown()
  await at(start + 58 * DAY)
  expect(shown()).toBe(first)
  await at(start + 60 * DAY)
  expect(shown().fingerprint).not.toBe(first.fingerprint)
  expect(shown().authority?.fingerprint).toBe(first.authority!.fingerprint)
  expect(renewal.current()).toBe(shown())
  expect(lines).toEqual([`info: shows the certificate ${shown().fingerprint} to new connections`])
})

test('an installed certificate is shown, until it ends or is removed', async () => {
  const { folder, at, shown, said: lines } = await watched()
  const own = shown()
  const other = await certificateIn(freshFolder())
  installCertificate(folder, Buffer.from(other.cert), other.key, start)
  await at(start)
  expect(shown()).toMatchObject({ fingerprint: other.fingerprint, isSigned: true })
  await at(start + 92 * DAY)
  expect(shown().fingerprint).not.toBe(other.fingerprint)
  expect(lines.at(-1)).toMatch(/^warn: The installed certificate ended on .* until a new one is installed\./)
  await at(start)
  expect(shown().fingerprint).toBe(other.fingerprint)
  expect([removeInstalled(folder), removeInstalled(folder)]).toEqual([true, false])
  await at(start)
  expect(shown().authority?.fingerprint).toBe(own.authority!.fingerprint)
})

test('a new authority signs the certificate at once', async () => {
  const { folder, at, shown } = await watched()
  giveAuthority(folder)
  const made = await replaceAuthority(config, folder, start)
  await at(start)
  expect(shown().authority?.fingerprint).toBe(made.fingerprint)
})

test('files that do not fit are reported, and the last certificate stays', async () => {
  const folder = freshFolder()
  const first = await certificateIn(folder)
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const given = configure({ tls: `${paths.cert},${paths.key}` }, {})
  const lines: string[] = []
  const renewal = watchCertificate(given, folder, (await certificateFor(given, folder, start))!, {
    now: () => start,
    show: () => true,
    log: (level, line) => lines.push(`${level}: ${line}`),
  })
  closing.push(renewal.close)
  await Bun.write(paths.key, 'half a key')
  await renewal.look()
  expect(lines).toEqual([
    `error: --tls: ${paths.key} is no private key in PEM form. The server goes on with the certificate that it has.`,
  ])
  expect(renewal.current().fingerprint).toBe(first.fingerprint)
  const other = await certificateIn(freshFolder())
  await Bun.write(paths.key, other.key)
  await Bun.write(paths.cert, other.cert)
  utimesSync(paths.cert, new Date(), new Date())
  await renewal.look()
  expect(renewal.current().fingerprint).toBe(other.fingerprint)
})

/** A server with the files of a certificate that somebody else renews. */
async function given() {
  const folder = freshFolder()
  const authority = await makeAuthority('Hospital', ['hospital.example'], start)
  const made = await signFor(authority, ['study.hospital.example'], start)
  const paths = { cert: join(folder, 'files/cert.pem'), key: join(folder, 'files/key.pem') }
  const write = async (cert: string, key = made.key) => {
    await Bun.write(paths.key, key)
    await Bun.write(paths.cert, cert)
  }
  await write(made.cert)
  const asked = configure({ tls: `${paths.cert},${paths.key}` }, {})
  const lines: string[] = []
  let shown = (await certificateFor(asked, folder, start))!
  const renewal = watchCertificate(asked, folder, shown, {
    now: () => start,
    show(next) {
      shown = next
      return true
    },
    log: (level, line) => lines.push(`${level}: ${line}`),
  })
  closing.push(renewal.close)
  const [own = ''] = made.cert.split(/(?<=END CERTIFICATE-----\n)/)
  return { ...{ folder, authority, paths, said: lines, renewal, write, own }, shown: () => shown }
}

test('the same certificate with other certificates of authorities is shown', async () => {
  const { authority, own, write, renewal, shown } = await given()
  await write(own)
  await renewal.look()
  expect(shown().cert).toBe(own)
  // In any order: clients get it after the one that it signed.
  await write(authority.cert + own)
  await renewal.look()
  expect(shown().cert).toBe(own + authority.cert)
})

test('a file that is half written is not shown, and is read again when it is whole', async () => {
  const { authority, own, write, said: lines, renewal, shown, paths } = await given()
  const first = shown()
  const next = await signFor(authority, ['study.hospital.example'], start)
  await write(next.cert.slice(0, -100), next.key)
  await renewal.look()
  expect(lines).toEqual([
    `error: --tls: ${paths.cert} is cut off: one of its certificates has no end. The server goes on with the certificate that it has.`,
  ])
  expect(shown()).toBe(first)
  await write(`\ufeff${next.cert}`.replaceAll('\n', '\r\n'), `\ufeff${next.key}`)
  await renewal.look()
  expect([shown().cert === next.cert, shown().cert.includes(own)]).toEqual([true, false])
})

test('a folder that cannot be read any more is reported, and the server goes on', async () => {
  const { folder, said: lines, renewal, shown, paths, write } = await given()
  const first = shown()
  rmSync(join(folder, 'files'), { recursive: true })
  writeFileSync(join(folder, 'files'), 'not a folder')
  await renewal.look()
  await renewal.look()
  const line = `error: --tls: ${paths.cert} cannot be read (ENOTDIR). The server goes on with the certificate that it has.`
  expect(lines).toEqual([line, line])
  expect(shown()).toBe(first)
  rmSync(join(folder, 'files'))
  await write(first.cert, first.key)
  await renewal.look()
  expect(lines).toEqual([line, line])
})
