/** `trialbox certificate`: what a person at a site does to have its own or a hospital's certificate trusted. */
import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command } from '#cli/certificate'
import { DAY, systemClock } from '#kernel/time'
import { configure } from '#server/config/settings'
import { openDataDirectory } from '#server/process/dataDirectory'
import { makeAuthority, signFor } from '#server/tls/authority'
import { certificateFor } from '#server/tls/certificate'
import { fromSource, runProgram } from '../program'
import { freshFolder } from '../server/process/folder'
import { openssl } from '../server/tls/openssl'

const now = systemClock.now()

/** A data directory that a server has used, and the command on it. */
async function site() {
  const data = join(freshFolder(), 'data')
  const { lock } = openDataDirectory(data)
  lock.release()
  const tls = join(data, 'tls')
  const own = (await certificateFor(configure({ data }, {}), tls, now))!
  const call = async (words: string[], flags: Record<string, string> = {}) => {
    const lines: string[] = []
    const code = await command.run({ flags: { data, ...flags }, words, env: {}, print: (line) => lines.push(line) })
    expect(code).toBe(0)
    return lines.join('\n')
  }
  const file = (name: string, content: string | Uint8Array) => {
    const path = join(data, '..', name)
    writeFileSync(path, content)
    return path
  }
  return { data, tls, own, call, file }
}

test('shows which certificate is shown, and by whom it is signed', async () => {
  const { own, call } = await site()
  const said = await call(['show'])
  expect(said).toContain(own.fingerprint)
  expect(said).toContain(own.authority!.fingerprint)
  expect(said).toContain('localhost')
  expect(await call([])).toBe(said)
})

test('exports the authority, without its key, and notes that it was given out', async () => {
  const { tls, own, call } = await site()
  const out = join(freshFolder(), 'ca.pem')
  // As in the program. The file is for others to read.
  const before = process.umask(0o077)
  try {
    expect(await call(['export'], { out })).toBe('')
  } finally {
    process.umask(before)
  }
  expect(statSync(out).mode & 0o777).toBe(0o644)
  const text = readFileSync(out, 'utf8')
  expect(text).toBe(own.authority!.cert)
  expect(text).not.toContain('PRIVATE')
  expect(`${await call(['export'])}\n`).toBe(text)
  expect(existsSync(join(tls, 'authority.given'))).toBe(true)
  expect(statSync(join(tls, 'authority.pem')).mode & 0o777).toBe(0o600)
})

describe('a certificate of a hospital', () => {
  test('a request says what was made, and prints nothing else than the request', async () => {
    const { data, tls } = await site()
    const words = ['certificate', 'request', '--names', 'study.example.org', '--data', data] as const
    const printed = await runProgram(fromSource, ...words)
    expect([printed.code, printed.out]).toEqual([
      0,
      expect.stringMatching(/^-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n$/),
    ])
    const out = join(freshFolder(), 'study.csr')
    const { err, ...rest } = await runProgram(fromSource, ...words, '--out', out)
    expect(rest).toEqual({ code: 0, out: '' })
    expect(err).toBe(
      `made a key, which stays in ${join(tls, 'request-key.pem')}, and a request for study.example.org in ${out}. Send the request to the authority, then: trialbox certificate install <file>\n`,
    )
  })

  test('is requested, installed and shown; PEM with its authority, or DER', async () => {
    const { tls, call, file, data } = await site()
    const request = await call(['request'], { names: 'Study.hospital.example, 10.9.8.7' })
    expect(request).toStartWith('-----BEGIN CERTIFICATE REQUEST-----')
    const read = openssl('req', '-in', file('request.pem', request), '-noout', '-text', '-verify')
    for (const part of ['DNS:study.hospital.example', 'IP Address:10.9.8.7', /self-signature verify OK/i])
      if (read !== undefined) expect(read).toMatch(part)
    const key = readFileSync(join(tls, 'request-key.pem'), 'utf8')
    const hospital = await makeAuthority('Hospital', ['hospital.example', '10.9.8.7/32'], now)
    const signed = await signRequest(hospital, key)
    expect(await call(['install', file('back.pem', signed)])).toContain(new X509Certificate(signed).fingerprint256)
    expect(existsSync(join(tls, 'request-key.pem'))).toBe(false)
    expect(await call(['show'])).toContain('The certificate of another authority')
    // The next one for the same key comes as DER.
    const next = new X509Certificate(await signRequest(hospital, key))
    expect(await call(['install', file('back.cer', new Uint8Array(next.raw))])).toContain(next.fingerprint256)
    const shown = await certificateFor(configure({ data, 'public-url': 'https://else.example' }, {}), tls, now)
    expect(shown).toMatchObject({
      fingerprint: next.fingerprint256,
      notices: [expect.stringContaining('else.example')],
    })
    expect(await call(['remove'])).toContain('its own certificate again')
    expect(await call(['show'])).toContain('The server’s own certificate')
  })

  test('is requested for a name that is too long for its subject, too', async () => {
    const { call, file } = await site()
    const long = `${'a'.repeat(60)}.hospital.example`
    const request = await call(['request'], { names: `${long},10.9.8.7` })
    const read = openssl('req', '-in', file('request.pem', request), '-noout', '-text')
    if (read !== undefined) expect(read).toMatch(/Subject: CN\s*=\s*10\.9\.8\.7\b/)
    if (read !== undefined) expect(read).toContain(`DNS:${long}`)
  })

  /** What an authority does with a request for that key. */
  async function signRequest(authority: { cert: string; key: string }, key: string): Promise<string> {
    const folder = freshFolder()
    mkdirSync(folder, { recursive: true })
    const { signKey } = await import('../server/tls/signKey')
    return (await signKey(authority, key, ['study.hospital.example'])) + authority.cert
  }

  test.each<[string, (own: string, key: string) => string | Uint8Array, RegExp]>([
    ['a text', () => 'hello', /holds no certificate, neither in PEM nor in DER/],
    ['an empty file', () => '', /holds no certificate/],
    [
      'the request',
      () => '-----BEGIN CERTIFICATE REQUEST-----\nAA\n-----END CERTIFICATE REQUEST-----',
      /is the request/,
    ],
    ['PKCS #7', () => '-----BEGIN PKCS7-----\nAA\n-----END PKCS7-----', /is a PKCS #7 file/],
    ['another key’s', (own) => own, /does not belong to/],
  ])('%s is refused, and nothing is changed', async (_, make, sentence) => {
    const { tls, own, call, file } = await site()
    await call(['request'], { names: 'study.example' })
    const key = readFileSync(join(tls, 'request-key.pem'), 'utf8')
    await expect(call(['install', file('x', make(own.cert, key))])).rejects.toThrow(sentence)
    expect(readFileSync(join(tls, 'request-key.pem'), 'utf8')).toBe(key)
    expect(existsSync(join(tls, 'installed.pem'))).toBe(false)
  })

  test('that has ended, begins later, or stands behind its authority is refused', async () => {
    const { call, file } = await site()
    const hospital = await makeAuthority('Hospital', ['hospital.example', '10.0.0.0/8'], now - 400 * DAY)
    const pairs = await Promise.all(
      [-200, 3, 0].map((days) => signFor(hospital, ['a.hospital.example'], now + days * DAY)),
    )
    const install = async (pair: { cert: string; key: string }) =>
      call(['install', file('c.pem', pair.cert)], { key: file('k.pem', pair.key) })
    await expect(install(pairs[0]!)).rejects.toThrow(/ended on/)
    await expect(install(pairs[1]!)).rejects.toThrow(/only valid from/)
    const [own = ''] = pairs[2]!.cert.split(/(?<=END CERTIFICATE-----\n)/)
    const { cert, key } = pairs[2]!
    const stranger = await makeAuthority('Hospital', ['hospital.example'], now)
    await expect(install({ cert: own + stranger.cert, key })).rejects.toThrow(/certificate of Hospital did not sign/)
    await expect(install({ cert: hospital.cert, key: hospital.key })).rejects.toThrow(/is that of an authority/)
    const cut = /the file is cut off: one of its certificates has no end/
    await expect(install({ cert: cert.slice(0, -100), key })).rejects.toThrow(cut)
    await expect(install({ cert: hospital.cert.slice(0, -100) + own, key })).rejects.toThrow(cut)
    const damaged = hospital.cert.replace(/\n.{20}/, `\n${'A'.repeat(20)}`)
    await expect(install({ cert: own + damaged, key })).rejects.toThrow(/one in it is damaged/)
    expect(await install(pairs[2]!)).toContain('installed')
  })

  test('is taken in any order, and as editors of Windows write it; its names are told', async () => {
    const { tls, call, file } = await site()
    const hospital = await makeAuthority('Hospital', ['hospital.example', '10.0.0.0/8'], now)
    const { cert, key } = await signFor(hospital, ['a.hospital.example', '10.0.0.7'], now)
    const [own = ''] = cert.split(/(?<=END CERTIFICATE-----\n)/)
    const ofWindows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`
    const install = (text: string, flags = {}) =>
      call(['install', file('c.pem', ofWindows(text))], { key: file('k.pem', ofWindows(key)), ...flags })
    const said = await install(hospital.cert + own)
    expect(said).toContain('names: a.hospital.example, 10.0.0.7')
    expect(said).not.toContain('signed the last certificate')
    const stored = readFileSync(join(tls, 'installed.pem'), 'utf8')
    const chain = [...stored.matchAll(/-----BEGIN CERT[\s\S]+?END CERTIFICATE-----/g)].map(
      ([each]) => new X509Certificate(each).fingerprint256,
    )
    expect(chain).toEqual([own, hospital.cert].map((each) => new X509Certificate(each).fingerprint256))
    expect(stored).not.toContain('\r')
    // Devices may know the authority, but not the name.
    const other = await install(own, { 'public-url': 'https://b.hospital.example' })
    expect(other).toContain('is not for b.hospital.example, the name of --public-url')
    expect(other).toContain('Hospital signed the last certificate of the file.')
  })
})

test('a new authority is made only when asked for, and says what follows', async () => {
  const { own, call } = await site()
  await call(['export'])
  expect(await call(['new-authority'])).toContain('must trust it again')
  expect(await call(['show'])).not.toContain(own.authority!.fingerprint)
})

test.each<[string[], Record<string, string>, RegExp]>([
  [['shwo'], {}, /it is show, export, request/],
  [['show', 'file'], {}, /takes no file/],
  [['install'], {}, /Name the file/],
  [['install', '/nowhere/x.pem'], {}, /cannot be read \(ENOENT\)/],
  [['request'], {}, /Say for which names/],
  [['request'], { names: 'a b' }, /neither a server name nor an address/],
  [['request'], { names: '' }, /neither a server name nor an address/],
  [['remove'], {}, /No certificate of another authority is installed/],
])('%p %p is refused', async (words, flags, sentence) => {
  const { call } = await site()
  await expect(call(words, flags)).rejects.toThrow(sentence)
})
