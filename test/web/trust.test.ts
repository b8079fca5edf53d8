/** The page `/trust`, its files, and a browser that trusts what they hold. */
import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium as driver } from 'playwright-core'
import { systemClock } from '#kernel/time'
import { configure } from '#server/config/settings'
import { listen } from '#server/listen'
import { certificateFor } from '#server/tls/certificate'
import { trustOf } from '#server/tls/trust'
import { world } from '../harness'
import { freshFolder } from '../server/process/folder'
import { readQrCode } from '../writers/readQrCode'
import { chromium } from './browser'

/** A server with its own certificate, and one page or file of it. */
async function trusting(flags: { host?: string } = {}) {
  const folder = freshFolder()
  const certificate = (await certificateFor(configure(flags, {}), folder, systemClock.now()))!
  const trust = trustOf(folder, () => certificate)
  const server = listen(world().service, { host: '127.0.0.1', port: 0, certificate, trust })
  const url = `https://localhost:${server.port}`
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url + path, { method, headers, tls: { rejectUnauthorized: false } })
  return { folder, certificate, authority: certificate.authority!, url, get, stop: server.stop }
}

test('the page shows the fingerprint, and the steps for the device that asks, in its language', async () => {
  const { authority, folder, get, stop } = await trusting()
  const page = await get('/trust', { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15)', 'Accept-Language': 'de-AT, en' })
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const html = await page.text()
  expect(html).toContain('<html lang="de" dir="ltr">')
  expect(html).toContain('<details open><summary>Android</summary>')
  expect(html.match(/<details open>/g)).toHaveLength(1)
  const shown = [...html.matchAll(/<code>([0-9A-F ]+)<\/code>/g)].map(([, four]) => four!.replaceAll(' ', ':'))
  expect(shown.join(':')).toBe(authority.fingerprint)
  expect(html).toContain('10.0.0.0/8')
  expect(html).not.toContain('PRIVATE')
  expect(existsSync(join(folder, 'authority.given'))).toBe(false)
  await stop()
})

test('the files hold the authority in the form that each system reads, and never its key', async () => {
  const { authority, folder, get, stop } = await trusting()
  const pem = await get('/trust/trialbox.pem')
  expect(await pem.text()).toBe(authority.cert)
  const crt = await get('/trust/trialbox.crt')
  expect(crt.headers.get('content-type')).toBe('application/x-x509-ca-cert')
  expect(new X509Certificate(Buffer.from(await crt.arrayBuffer())).fingerprint256).toBe(authority.fingerprint)
  const profile = await get('/trust/trialbox.mobileconfig')
  expect(profile.headers.get('content-type')).toBe('application/x-apple-aspen-config')
  const text = await profile.text()
  expect(text).toBe(await (await get('/trust/trialbox.mobileconfig')).text())
  const data = /<data>([^<]+)<\/data>/.exec(text)![1]!
  expect(new X509Certificate(Buffer.from(data, 'base64')).fingerprint256).toBe(authority.fingerprint)
  const uuids = [...text.matchAll(/<string>([0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12})</g)]
  expect(new Set(uuids.map(([, uuid]) => uuid)).size).toBe(2)
  expect(existsSync(join(folder, 'authority.given'))).toBe(true)
  for (const path of ['/trust/key.pem', '/trust/authority.pem', '/trust/../tls/authority.pem', '/trust/'])
    expect((await get(path)).status).toBe(404)
  expect((await get('/trust', {}, 'POST')).status).toBe(404)
  await stop()
})

test('a device reads the address of the page from its code, and the profile is XML that Apple reads', async () => {
  const { url, get, stop } = await trusting()
  const port = new URL(url).port
  const local = await get('/trust')
  expect(await local.text()).not.toContain('class="code"') // localhost is another machine for every other device
  for (const host of [`ward7.local:${port}`, '10.0.0.7', `[fd00::2]:${port}`]) {
    const html = await (await get('/trust', { Host: host })).text()
    const [, side = '', path = ''] = /<svg class="code" viewBox="0 0 (\d+) [\s\S]*?<path d="([^"]+)"/.exec(html) ?? []
    expect(readQrCode(path, Number(side))).toBe(`https://${host}/trust`)
  }
  const profile = await (await get('/trust/trialbox.mobileconfig')).text()
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '-'], { input: profile })
  if (status !== null) expect([status, stderr.toString()]).toEqual([0, ''])
  await stop()
})

test('a server whose certificate is not its own has nothing to hand out, and says so', async () => {
  const server = listen(world().service, { host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${server.port}/trust`
  expect(await (await fetch(url, { headers: { 'Accept-Language': 'fr' } })).text()).toContain('Rien à faire ici')
  expect((await fetch(`${url}/trialbox.pem`)).status).toBe(404)
  await server.stop()
})

const certutil = Bun.which('certutil')
if (!certutil && process.env.CI) throw new Error('There is no certutil (libnss3-tools), and in CI it must be used.')

test.skipIf(!chromium || !certutil)(
  'a browser that trusts the authority opens the server without a warning',
  async () => {
    const { authority, url, stop } = await trusting()
    const other = await trusting()
    const home = freshFolder()
    const database = join(home, '.pki/nssdb')
    mkdirSync(database, { recursive: true })
    writeFileSync(join(home, 'ca.pem'), authority.cert)
    const ran = (...words: string[]) => expect(spawnSync(certutil!, ['-d', `sql:${database}`, ...words]).status).toBe(0)
    ran('-N', '--empty-password')
    ran('-A', '-n', 'trialbox', '-t', 'C,,', '-i', join(home, 'ca.pem'))
    const browser = await driver.launch({
      executablePath: chromium!,
      args: ['--no-sandbox', '--disable-gpu'],
      env: { ...(process.env as Record<string, string>), HOME: home },
    })
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.goto(`${url}/trust?language=es`)
    expect([await page.title(), await page.evaluate('isSecureContext')]).toEqual([
      'Confiar en este servidor · Trialbox',
      true,
    ])
    expect(faults).toEqual([])
    await expect(page.goto(other.url)).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/)
    await browser.close()
    await stop()
    await other.stop()
  },
  120_000,
)
