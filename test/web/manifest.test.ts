/** A phone can put the app on its home screen: the manifest and the pictures are served, and are what they say. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { listen } from '#server/listen'
import { pageColours } from '#web/serving/manifest'
import { sharedInFile, world } from '../harness'
import { testServer } from '../testServer'

type Manifest = {
  start_url: string
  scope: string
  display: string
  name: string
  background_color: string
  icons: { src: string; type: string; sizes: string; purpose: string }[]
}

/** Width and height in the header of a PNG. */
const sizeOf = (bytes: Uint8Array): string => {
  expect(Buffer.from(bytes.subarray(0, 8)).toString('hex')).toBe('89504e470d0a1a0a')
  const header = new DataView(bytes.buffer, bytes.byteOffset)
  return `${header.getUint32(16)}x${header.getUint32(20)}`
}

const served = sharedInFile(async () => {
  const { service } = await testServer()
  const { port } = listen(service, { host: '127.0.0.1', port: 0 })
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
})

test('the manifest names pictures that are served with their type and size', async () => {
  const get = await served()
  const answer = await get('/app/manifest.webmanifest')
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/manifest+json; charset=utf-8',
    'no-cache',
  ])
  const manifest = (await answer.json()) as Manifest
  expect(manifest).toMatchObject({ name: 'Trialbox', start_url: '/app/', scope: '/app/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    'any any',
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, type, sizes } of manifest.icons) {
    const picture = await get(src)
    expect([src, picture.status, picture.headers.get('content-type')]).toEqual([src, 200, type])
    if (sizes !== 'any') expect([src, sizeOf(await picture.bytes())]).toEqual([src, sizes])
  }
})

test('the page of the app leads to them, for devices of Apple too', async () => {
  const get = await served()
  const html = await (await get('/app/')).text()
  expect(html).toContain('<link rel="manifest" href="/app/manifest.webmanifest">')
  const [, apple = ''] = /<link rel="apple-touch-icon" href="([^"]+)">/.exec(html) ?? []
  expect(sizeOf(await (await get(apple)).bytes())).toBe('180x180')
  expect(html).toContain(`<meta name="theme-color" content="${pageColours.dark}" media="(prefers-color-scheme: dark)">`)
})

test('the bars of the system have the colours of the page', async () => {
  const tokens = await Bun.file(join(import.meta.dir, '../../src/web/kit/page/tokens.css')).text()
  const [light, dark] = [...tokens.matchAll(/--paper: .+;/g)].flatMap(([line]) => line.match(/#\w+/g) ?? [])
  expect({ light, dark }).toEqual(pageColours)
})

test('every server has the manifest, and nobody writes it', async () => {
  const { port } = listen(world().service, { host: '127.0.0.1', port: 0 })
  expect((await fetch(`http://127.0.0.1:${port}/app/manifest.webmanifest`)).status).toBe(200)
  const get = await served()
  expect((await get('/app/manifest.webmanifest', { method: 'PUT', body: '{}' })).status).toBe(404)
})
