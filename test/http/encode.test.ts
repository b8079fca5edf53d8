/** Answers are compressed for clients that take it, and participants are not sent again what they have. */
import { expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { listen } from '#server/listen'
import { testServer } from '../testServer'

/** A server with a study, and a participant who is signed in. */
async function world() {
  const { service, owner, call } = await testServer()
  const trial = (await call('POST', `/teams/${owner.team}/trials`, { name: 'Heart' })).body._id
  const { code } = (await call('GET', `/trials/${trial}`)).body
  const anna = (
    await call('POST', `/trials/${trial}/participants`, { participantId: 'A-1', password: 'correct horse' })
  ).body._id
  const names = Array.from({ length: 40 }, (_, at) => `The stage with the number ${at}`)
  for (const name of names) await call('POST', `/trials/${trial}/stages`, { name, adHoc: true })
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${server.port}`
  const signedIn = await fetch(`${base}/participants/sessions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ trialCode: code, participantId: 'A-1', password: 'correct horse' }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  /** Asks as the participant; the bytes come as they were sent. */
  const ask = (path: string, headers: Record<string, string> = {}, as = token) =>
    fetch(base + path, {
      decompress: false,
      headers: { Authorization: `Bearer ${as}`, 'Accept-Encoding': 'identity', ...headers },
    })
  return { ask, owner, call, trial, anna, stop: () => server.stop(), path: `/participants/trials/${trial}/stages` }
}

test('JSON above 1 kB goes as gzip or zstd to who takes it, with the same content, and small answers as they are', async () => {
  const { ask, path, owner, trial, stop } = await world()
  const plain = await ask(path)
  const text = await plain.text()
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null])
  expect(plain.headers.get('vary')).toContain('Accept-Encoding')
  for (const accepted of ['gzip', 'deflate, gzip;q=0.8', 'GZIP']) {
    const small = await ask(path, { 'Accept-Encoding': accepted })
    const bytes = new Uint8Array(await small.arrayBuffer())
    expect([accepted, small.headers.get('content-encoding')]).toEqual([accepted, 'gzip'])
    expect(small.headers.get('content-type')).toBe('application/json')
    expect(bytes.length).toBeLessThan(text.length / 4)
    expect(gunzipSync(bytes).toString()).toBe(text)
  }
  const zstd = await ask(path, { 'Accept-Encoding': 'gzip, br, zstd' })
  expect(zstd.headers.get('content-encoding')).toBe('zstd')
  expect(Bun.zstdDecompressSync(new Uint8Array(await zstd.arrayBuffer())).toString()).toBe(text)
  for (const accepted of ['br', 'gzip;q=0', '']) {
    const whole = await ask(path, { 'Accept-Encoding': accepted })
    expect([accepted, whole.headers.get('content-encoding'), await whole.text()]).toEqual([accepted, null, text])
  }
  const little = await ask('/participants/trial', { 'Accept-Encoding': 'gzip' })
  const { length } = await little.text()
  expect([length < 1000, little.headers.get('content-encoding')]).toEqual([true, null])
  // Staff get the same, and keep nothing.
  const staff = await ask(`/trials/${trial}/stages`, { 'Accept-Encoding': 'gzip' }, owner.apiKey)
  expect(staff.headers.get('content-encoding')).toBe('gzip')
  expect([staff.headers.get('etag'), staff.headers.get('cache-control')]).toEqual([null, 'no-store'])
  await stop()
})

test('a participant who has an answer already gets 304, whatever the encoding, until it changes', async () => {
  const { ask, path, call, trial, stop } = await world()
  const first = await ask(path)
  const etag = first.headers.get('etag') ?? ''
  expect([etag, first.headers.get('cache-control')]).toEqual([expect.stringMatching(/^W\/"\w+"$/), 'private, no-cache'])
  for (const held of [etag, `"other", ${etag}`, '*']) {
    const again = await ask(path, { 'If-None-Match': held, 'Accept-Encoding': 'gzip' })
    expect([held, again.status, await again.text(), again.headers.get('etag')]).toEqual([held, 304, '', etag])
    expect(again.headers.get('cache-control')).toBe('private, no-cache')
    expect(again.headers.get('vary')).toContain('Accept-Encoding')
  }
  expect((await ask(path, { 'If-None-Match': '"other"' })).status).toBe(200)
  await call('POST', `/trials/${trial}/stages`, { name: 'One more', adHoc: true })
  const changed = await ask(path, { 'If-None-Match': etag })
  expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
  // Who may not read learns nothing of whether it changed.
  expect((await ask(path, { 'If-None-Match': '*' }, 'nobody')).status).toBe(401)
  await stop()
})
