/** How pages and their files are served: headers, encodings, languages, and what only test servers have. */
import { describe, expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { listen } from '#server/listen'
import { sharedInFile, world } from '../harness'
import { testServer } from '../testServer'

/** A request as it is: `fetch` would decompress, follow redirects and send headers of its own. */
async function raw(base: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(base + path, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...headers },
    redirect: 'manual',
    decompress: false,
  })
  return { status: response.status, headers: response.headers, bytes: await response.bytes() }
}

const served = sharedInFile(() => {
  const { service } = world()
  const { port } = listen(service, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${port}`
  return { get: (path: string, headers?: Record<string, string>, method?: string) => raw(base, path, headers, method) }
})

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const fileIn = (html: Uint8Array, name: RegExp) => name.exec(text(html))?.[0] ?? ''

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker"

test.each([
  '/',
  '/account',
  '/docs',
  '/manual',
  '/manual/backup',
  '/manual?q=x',
  '/manual/none',
  '/setup/abc',
  '/app/setup/abc',
])('%s has the strict policy, and nothing inline', async (path) => {
  const { get } = await served()
  const { headers, bytes } = await get(path, { Accept: 'text/html' })
  expect(headers.get('content-security-policy')).toBe(POLICY)
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  const html = text(bytes)
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|(src|href)="(https?:)?\/\//i)
  expect(html).toStartWith('<!doctype html>\n<html lang="en"')
})

describe('a file of the pages', () => {
  test.each([/\/web\/style-\w+\.css/, /\/web\/account-\w+\.js/, /\/web\/icon-\w+\.svg/])(
    '%p comes compressed or plain, and is kept for ever',
    async (name) => {
      const { get } = await served()
      const path = fileIn((await get('/account')).bytes, name)
      const plain = await get(path)
      expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(plain.headers.get('vary')).toBe('Accept-Encoding')
      expect(plain.headers.get('content-length')).toBe(`${plain.bytes.length}`)
      const packed = await get(path, { 'Accept-Encoding': 'gzip, br;q=0.5' })
      expect([packed.status, packed.headers.get('content-encoding')]).toEqual([200, 'br'])
      expect(packed.headers.get('content-length')).toBe(`${packed.bytes.length}`)
      expect(text(brotliDecompressSync(packed.bytes))).toBe(text(plain.bytes))
      expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
      const refused = await get(path, { 'Accept-Encoding': 'br;q=0, gzip' })
      expect(refused.headers.get('content-encoding')).toBe(null)
      const head = await get(path, {}, 'HEAD')
      expect([head.status, head.bytes.length, head.headers.get('etag')]).toEqual([200, 0, plain.headers.get('etag')])
      for (const held of [
        plain.headers.get('etag')!,
        `W/${plain.headers.get('etag')}`,
        `"x", ${plain.headers.get('etag')}`,
        '*',
      ]) {
        const again = await get(path, { 'If-None-Match': held })
        expect([held, again.status, again.bytes.length]).toEqual([held, 304, 0])
        expect(again.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      }
      expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
      // A picture can be opened as a page. A script or style cannot, and is a part of the first load.
      expect(plain.headers.get('content-security-policy')).toBe(path.endsWith('.svg') ? POLICY : null)
      expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test.each([
    '/web/',
    '/web/none.js',
    '/web/constructor',
    '/web/..%2f..%2fpackage.json',
    '/web/style.css',
    '/web/web.pack',
    '/web/sw.js',
  ])('%s is none', async (path) => {
    const { get } = await served()
    const { status, headers, bytes } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json'])
    expect(text(bytes)).toContain('No operation has this path')
  })

  test('is only read', async () => {
    const { get } = await served()
    for (const path of ['/', '/account', '/web/none.js', '/manual/backup', '/openapi.json']) {
      const { status, headers } = await get(path, {}, 'DELETE')
      expect([path, status, headers.get('allow')]).toEqual([path, 404, 'GET, HEAD'])
    }
  })
})

describe('a page', () => {
  test('is asked for again at each use, and is another one in another language', async () => {
    const { get } = await served()
    for (const path of ['/', '/account', '/docs', '/manual/backup', '/openapi.json', '/manual/trialbox.svg']) {
      const { headers } = await get(path)
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-cache'])
      const held = { 'If-None-Match': headers.get('etag')! }
      const again = await get(path, held)
      expect([path, again.status, again.bytes.length]).toEqual([path, 304, 0])
      const german = await get(path, { ...held, 'Accept-Language': 'de' })
      expect([path, german.status]).toEqual([path, ['/', '/account', '/manual/backup'].includes(path) ? 200 : 304])
    }
    const ended = await get('/setup/abc', { Accept: 'text/html' })
    expect([ended.headers.get('cache-control'), ended.headers.get('etag')]).toEqual(['no-store', null])
  })

  test('is in the language of the browser, or in the one that was chosen', async () => {
    const { get } = await served()
    const arabic = await get('/account', { 'Accept-Language': 'ar-EG, en' })
    expect(text(arabic.bytes)).toContain('<html lang="ar" dir="rtl">')
    expect(arabic.headers.get('content-language')).toBe('ar')
    expect(arabic.headers.get('vary')).toContain('Accept-Language')
    const chosen = await get('/manual?q=restore+%22a%22&language=fr')
    expect([chosen.status, chosen.headers.get('location'), chosen.bytes.length]).toEqual([
      303,
      '/manual?q=restore+%22a%22',
      0,
    ])
    const cookie = chosen.headers.get('set-cookie')!
    expect(cookie).toBe('language=fr; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly')
    const french = await get('/', { 'Accept-Language': 'de', Cookie: `session=x; ${cookie.split(';')[0]}` })
    expect(text(french.bytes)).toContain('Toute une étude clinique')
    expect(text(french.bytes)).toContain('<a href="?language=fr" lang="fr" hreflang="fr" aria-current="true">')
    const setup = await get('/app/setup/abc?language=de', { Accept: 'text/html' })
    expect([setup.status, setup.headers.get('location')]).toEqual([303, '/app/setup/abc'])
    for (const wrong of ['/?language=xx', '/?language=', '/?language=constructor', '/?language=%0d%0aX:1']) {
      const { status, headers } = await get(wrong)
      expect([wrong, status, headers.get('set-cookie')]).toEqual([wrong, 200, null])
    }
  })

  test('shows what was searched for as text, in every language', async () => {
    const { get } = await served()
    const query = '"><img src=x onerror=alert(1)>\ud83d&amp;'
    const { bytes } = await get(`/manual?q=${encodeURIComponent(query.toWellFormed())}`, { 'Accept-Language': 'de' })
    const html = text(bytes)
    expect(html).not.toContain('<img src=x')
    expect(html).toContain('0 Abschnitte mit „&quot;&gt;&lt;img src=x onerror=alert(1)&gt;\ufffd&amp;amp;“')
    expect(html).toContain('?q=%22%3E%3Cimg+src%3Dx+onerror%3Dalert%281%29%3E%EF%BF%BD%26amp%3B&amp;language=fr')
  })
})

test('the components are on test servers only, and the app is on all', async () => {
  const { get } = await served()
  expect((await get('/ui')).status).toBe(404)
  for (const path of ['/app/', '/app/stages/x', '/app/manifest.webmanifest', '/app/sw.js'])
    expect([path, (await get(path)).status]).toEqual([path, 200])
  const { service } = await testServer()
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${server.port}`
  expect((await raw(base, '/ui')).status).toBe(200)
  const worker = await raw(base, '/app/sw.js', { 'Accept-Encoding': 'br' })
  expect([worker.status, worker.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(worker.headers.get('content-security-policy')).toBe(POLICY)
  const again = await raw(base, '/app/sw.js', { 'Accept-Encoding': 'br', 'If-None-Match': worker.headers.get('etag')! })
  expect(again.status).toBe(304)
  await server.stop()
})
