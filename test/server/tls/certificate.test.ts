import { beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DAY, systemClock } from '#kernel/time'
import type { Flags } from '#server/config/options'
import { type Config, configure } from '#server/config/settings'
import { type Certificate, certificateFor } from '#server/tls/certificate'
import { machineAddresses } from '#server/tls/names'
import { freshFolder } from '../process/folder'

const now = systemClock.now()
const config = (flags: Flags = {}): Config => configure(flags, {})
const own = async (folder: string, flags: Flags = {}, at = now): Promise<Certificate> =>
  (await certificateFor(config(flags), folder, at))!

describe('a generated certificate', () => {
  test('has the names and addresses of the machine and of the public address', async () => {
    const made = await own(freshFolder(), { 'public-url': 'https://study.example.org' })
    const parsed = new X509Certificate(made.cert)
    for (const name of ['localhost', 'study.example.org', hostname().toLowerCase()])
      expect(parsed.checkHost(name)).toBe(name)
    for (const address of ['127.0.0.1', '::1', ...machineAddresses()]) expect(parsed.checkIP(address)).toBe(address)
    expect(parsed.checkHost('other.example.org')).toBeUndefined()
    expect(parsed.ca).toBe(false)
    expect(parsed.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    const days = (Date.parse(parsed.validTo) - Date.parse(parsed.validFrom)) / 86_400_000
    expect(days).toBe(90)
    expect(made.fingerprint).toBe(parsed.fingerprint256)
    expect(made.isSigned).toBe(false) // by nobody whom browsers trust by themselves
  })

  test('is kept, unreadable for other users, until it expires or a name is added', async () => {
    const folder = freshFolder()
    const first = await own(folder)
    expect(statSync(join(folder, 'key.pem')).mode & 0o777).toBe(0o600)
    expect((await own(folder)).fingerprint).toBe(first.fingerprint)
    expect((await own(folder, {}, now + 58 * DAY)).fingerprint).toBe(first.fingerprint)
    const renewed = await own(folder, {}, now + 60 * DAY)
    expect(renewed.fingerprint).not.toBe(first.fingerprint)
    expect(renewed.expiresAt).toBeGreaterThan(first.expiresAt)
    expect(renewed.authority?.fingerprint).toBe(first.authority!.fingerprint)
    const named = await own(folder, { 'public-url': 'https://study.local' })
    expect(named.fingerprint).not.toBe(renewed.fingerprint)
    expect(named.authority?.fingerprint).toBe(first.authority!.fingerprint)
    expect((await own(folder)).fingerprint).toBe(named.fingerprint)
  })

  test('is created again if the files are damaged', async () => {
    const folder = freshFolder()
    const first = await own(folder)
    truncateSync(join(folder, 'key.pem'), 20)
    const second = await own(folder)
    expect(second.fingerprint).not.toBe(first.fingerprint)
    expect(readFileSync(join(folder, 'key.pem'), 'utf8')).toBe(second.key)
  })

  test('is not created with --tls off', async () => {
    expect(await certificateFor(config({ tls: 'off' }), '/nowhere', now)).toBeUndefined()
  })
})

describe('a certificate given by files', () => {
  const folder = freshFolder()
  const file = (name: string, content?: string) => {
    if (content !== undefined) writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  let pair: Certificate
  beforeAll(async () => {
    pair = await own(folder)
    file(
      'foreign.pem',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    )
    const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const
    file('locked.pem', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(cipher) as string)
    file('text.pem', 'not a certificate')
  })
  const given = (cert: string, key: string, at = now) =>
    certificateFor(config({ tls: `${join(folder, cert)},${join(folder, key)}` }), folder, at)

  test('is served unchanged', async () => {
    expect(await given('cert.pem', 'key.pem')).toMatchObject({ fingerprint: pair.fingerprint, notices: [] })
  })

  test.skipIf(process.platform === 'win32')('comes with a notice if every user can read its key', async () => {
    const key = file('open.pem', pair.key)
    chmodSync(key, 0o640)
    expect((await given('cert.pem', 'open.pem'))!.notices).toEqual([])
    chmodSync(key, 0o644)
    expect((await given('cert.pem', 'open.pem'))!.notices).toEqual([
      `Every user of this machine can read the key ${key}: allow it to the account of the server only.`,
    ])
  })

  const cases: [string, string, number, RegExp][] = [
    ['none.pem', 'key.pem', 0, /none\.pem cannot be read \(ENOENT\)/],
    ['cert.pem', 'none.pem', 0, /none\.pem cannot be read \(ENOENT\)/],
    ['text.pem', 'key.pem', 0, /text\.pem is no certificate in PEM form/],
    ['cert.pem', 'text.pem', 0, /text\.pem is no private key in PEM form/],
    ['cert.pem', 'locked.pem', 0, /locked\.pem has a password/],
    ['cert.pem', 'foreign.pem', 0, /foreign\.pem does not belong to .*cert\.pem/],
    ['cert.pem', 'key.pem', 91 * DAY, /cert\.pem ended on \d{4}-\d\d-\d\d/],
    ['cert.pem', 'key.pem', -2 * DAY, /cert\.pem is only valid from/],
  ]
  test.each(cases)('%s with %s, %d later, is refused', async (cert, key, later, sentence) => {
    await expect(given(cert, key, now + later)).rejects.toThrow(sentence)
  })
})
