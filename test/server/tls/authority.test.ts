/** The server's own authority: what it may sign, when it is replaced, and what clients make of it. */
import { describe, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, systemClock } from '#kernel/time'
import type { Flags } from '#server/config/options'
import { configure } from '#server/config/settings'
import { makeAuthority, permittedBy, signFor } from '#server/tls/authority'
import { certificateFor } from '#server/tls/certificate'
import { giveAuthority } from '#server/tls/manage'
import { isPermitted } from '#server/tls/names'
import { freshFolder } from '../process/folder'
import { verdict } from './openssl'

const now = systemClock.now()
const own = async (folder: string, flags: Flags = {}, at = now) =>
  (await certificateFor(configure(flags, {}), folder, at))!

describe('an authority', () => {
  test('lasts for 20 years, signs nothing but servers, and says for which names', async () => {
    const { authority } = await own(freshFolder(), { 'public-url': 'https://study.example.org' })
    const parsed = new X509Certificate(authority!.cert)
    expect(parsed.ca).toBe(true)
    expect(parsed.subject).toMatch(/^O=Trialbox\nCN=Trialbox on /)
    expect((authority!.expiresAt - now) / DAY / 365).toBeCloseTo(20, 1)
    expect(permittedBy(authority!.cert)).toEqual(
      expect.arrayContaining(['localhost', 'local', '10.0.0.0/8', 'fc00::/7', 'study.example.org']),
    )
  })

  const limited = ['localhost', 'study.example.org', '10.0.0.0/8', 'fc00::/7', '203.0.113.7/32']
  test.each([
    ['localhost', true],
    ['study.example.org', true],
    ['a.study.example.org', true],
    ['example.org', false],
    ['notstudy.example.org', false],
    ['www.example.com', false],
    ['10.200.3.4', true],
    ['11.0.0.1', false],
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['fd12::1', true],
    ['2001:db8::1', false],
  ])('limited to some names, may sign for %s: %p, as OpenSSL says', async (name, isAllowed) => {
    expect(isPermitted(name, limited)).toBe(isAllowed)
    const authority = await makeAuthority('Test', limited, now)
    expect(permittedBy(authority.cert)).toEqual(limited)
    const { cert } = await signFor(authority, [name], now)
    const result = verdict(cert, authority.cert)
    if (result !== undefined) expect(result).toBe(isAllowed ? 'OK' : 'permitted subtree violation')
  })
})

describe('the authority of a directory', () => {
  test('is made anew for a new name as long as nobody has got it, and is kept from then on, with a notice', async () => {
    const folder = freshFolder()
    const [first, second] = [await own(folder), await own(folder, { 'public-url': 'https://study.example.org' })]
    expect(second.authority!.fingerprint).not.toBe(first.authority!.fingerprint)
    expect(second.notices).toEqual([])
    giveAuthority(folder)
    const third = await own(folder, { 'public-url': 'https://other.example.org' })
    expect(third.authority!.fingerprint).toBe(second.authority!.fingerprint)
    expect(third.notices).toEqual([expect.stringMatching(/is not for other\.example\.org.*new-authority/)])
    const parsed = new X509Certificate(third.cert)
    expect([parsed.checkHost('other.example.org'), parsed.checkHost('localhost')]).toEqual([undefined, 'localhost'])
    const again = await own(folder, { 'public-url': 'https://other.example.org' })
    expect([again.fingerprint, again.notices]).toEqual([third.fingerprint, third.notices])
  })

  test('signs each renewal, and each is accepted', async () => {
    const folder = freshFolder()
    const { authority } = await own(folder)
    for (let day = 0; day < 400; day += 61) {
      const { cert, notices } = await own(folder, {}, now + day * DAY)
      expect([verdict(cert, authority!.cert, now + day * DAY) ?? 'OK', notices]).toEqual(['OK', []])
    }
  })

  test('is replaced with a notice if its file is damaged after somebody got it', async () => {
    const folder = freshFolder()
    const first = await own(folder)
    giveAuthority(folder)
    truncateSync(join(folder, 'authority.pem'), 200)
    const second = await own(folder)
    expect(second.authority!.fingerprint).not.toBe(first.authority!.fingerprint)
    expect(second.notices).toEqual([expect.stringContaining('each device must trust it again')])
    expect((await own(folder)).notices).toEqual([])
  })

  test('replaces the certificate that an earlier version made, which no phone can trust', async () => {
    const folder = freshFolder()
    const other = freshFolder()
    await own(other)
    for (const name of ['cert.pem', 'key.pem']) writeFileSync(join(folder, name), readFileSync(join(other, name)))
    const made = await own(folder)
    expect(verdict(made.cert, made.authority!.cert) ?? 'OK').toBe('OK')
  })
})
