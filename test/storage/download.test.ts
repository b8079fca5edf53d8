import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { rm, truncate } from 'node:fs/promises'
import fc from 'fast-check'
import { sha256 } from '#kernel/id'
import { MINUTE } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { createTestStorage, put, START, type TestStorage, VERSION } from './testStorage'

let s: TestStorage
let name: string
const bytes = new Uint8Array(1000).map((_, at) => (at * 7) & 0xff)
const etag = `"${sha256(bytes)}"`

beforeAll(async () => {
  s = await createTestStorage()
  name = await store(bytes, 'application/pdf')
})
afterAll(() => s.close())
afterEach(() => {
  s.clock.at = START
})

async function store(content: Uint8Array<ArrayBuffer>, type: string) {
  const upload = s.announce(content.length, type)
  expect((await put(upload.link, content, type)).status).toBe(200)
  return upload.name
}

const get = (headers: Record<string, string> = {}, method = 'GET', file = name) =>
  fetch(s.read(file), { method, headers })

test('a download is the file, with the headers that a browser needs', async () => {
  const answer = await fetch(s.read(name, { fileName: 'Größe.pdf', disposition: 'inline' }))
  expect(answer.status).toBe(200)
  expect(await answer.bytes()).toEqual(bytes)
  const { date: _date, ...headers } = Object.fromEntries(answer.headers)
  expect(headers).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': `inline; filename="Gro_e.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf`,
    'content-length': '1000',
    'content-type': 'application/pdf',
    etag,
    'last-modified': 'Sun, 01 Mar 2026 09:30:00 GMT',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-service-version': VERSION,
  })
})

describe('ranges', () => {
  const cases: [range: string, status: number, start: number, end: number][] = [
    ['bytes=0-0', 206, 0, 1],
    ['bytes=0-', 206, 0, 1000],
    ['bytes=0-999', 206, 0, 1000],
    ['bytes=0-1000', 206, 0, 1000],
    ['bytes=999-999', 206, 999, 1000],
    ['bytes=999-99999999999999999999', 206, 999, 1000],
    ['bytes=1000-', 416, 0, 0],
    ['bytes=1000-1000', 416, 0, 0],
    ['bytes=99999999999999999999-', 416, 0, 0],
    ['bytes=-1', 206, 999, 1000],
    ['bytes=-999', 206, 1, 1000],
    ['bytes=-1000', 206, 0, 1000],
    ['bytes=-1001', 206, 0, 1000],
    ['bytes=-0', 416, 0, 0],
    ['Bytes=5-9', 206, 5, 10],
    ['bytes= 5-9', 206, 5, 10],
    ['bytes=5-4', 200, 0, 1000],
    ['bytes=-', 200, 0, 1000],
    ['bytes=', 200, 0, 1000],
    ['bytes=a-b', 200, 0, 1000],
    ['bytes=1 - 3', 206, 1, 4],
    ['bytes = 1-3', 206, 1, 4],
    ['bytes=+1-3', 200, 0, 1000],
    ['bytes=0x1-3', 200, 0, 1000],
    ['lines=1-3', 200, 0, 1000],
    ['1-3', 200, 0, 1000],
    ['bytes=0-1,5-6', 200, 0, 1000],
  ]
  test.each(cases)('%s is answered with %i', async (range, status, start, end) => {
    const answer = await get({ Range: range })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-service-version')).toBe(VERSION)
    if (status === 416) {
      expect(answer.headers.get('content-range')).toBe('bytes */1000')
      expect(await answer.json()).toEqual({
        message: "The range lies outside the file's 1000 bytes.",
        details: { code: 'rangeOutsideFile', params: { size: 1000 } },
      })
      return
    }
    expect(answer.headers.get('content-range')).toBe(status === 206 ? `bytes ${start}-${end - 1}/1000` : null)
    expect(answer.headers.get('content-length')).toBe(String(end - start))
    expect(answer.headers.get('accept-ranges')).toBe('bytes')
    expect(await answer.bytes()).toEqual(bytes.slice(start, end))
  })

  test('any range returns that part of the bytes', async () => {
    const whole = fc.integer({ min: 0, max: 1100 })
    await fc.assert(
      fc.asyncProperty(whole, whole, async (one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)]
        const answer = await get({ Range: `bytes=${first}-${last}` })
        expect(answer.status).toBe(first < 1000 ? 206 : 416)
        if (first < 1000) expect(await answer.bytes()).toEqual(bytes.slice(first, last + 1))
      }),
    )
  })

  test('an empty file has no ranges', async () => {
    const empty = await store(new Uint8Array(), 'text/plain')
    expect((await get({}, 'GET', empty)).status).toBe(200)
    for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) {
      const answer = await get({ Range: range }, 'GET', empty)
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */0'])
    }
  })

  test.each([
    ['the same version', etag, 206],
    ['its second', 'Sun, 01 Mar 2026 09:30:00 GMT', 206],
    ['another version', '"other"', 200],
    ['another second', 'Sun, 01 Mar 2026 09:30:01 GMT', 200],
    ['a weak tag', `W/${etag}`, 200],
  ])('If-Range with %s', async (_name, version, status) => {
    const answer = await get({ Range: 'bytes=1-3', 'If-Range': version })
    expect(answer.status).toBe(status)
    expect((await answer.bytes()).length).toBe(status === 206 ? 3 : 1000)
  })
})

test.each([
  [{ 'If-None-Match': etag }, 304],
  [{ 'If-None-Match': `W/${etag}` }, 304],
  [{ 'If-None-Match': `"a", ${etag}` }, 304],
  [{ 'If-None-Match': '*' }, 304],
  [{ 'If-None-Match': '"a"' }, 200],
  [{ 'If-None-Match': '"a"', 'If-Modified-Since': 'Sun, 01 Mar 2026 09:30:00 GMT' }, 200],
  [{ 'If-Modified-Since': 'Sun, 01 Mar 2026 09:30:00 GMT' }, 304],
  [{ 'If-Modified-Since': 'Sun, 01 Mar 2026 09:29:59 GMT' }, 200],
  [{ 'If-Modified-Since': 'yesterday' }, 200],
] as [Record<string, string>, number][])('%j is answered with %i', async (headers, status) => {
  const answer = await get(headers)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('etag')).toBe(etag)
  expect((await answer.bytes()).length).toBe(status === 304 ? 0 : 1000)
})

test('HEAD returns the headers of GET without the bytes, and ignores ranges', async () => {
  const answer = await get({ Range: 'bytes=1-3' }, 'HEAD')
  expect([answer.status, answer.headers.get('content-length'), answer.headers.get('etag')]).toEqual([200, '1000', etag])
  expect(answer.headers.get('x-service-version')).toBe(VERSION)
  expect((await answer.bytes()).length).toBe(0)
})

test.each([
  ['image/png', true],
  ['video/mp4', true],
  ['text/plain; charset=utf-8', true],
  ['IMAGE/JPEG', true],
  ['text/html', false],
  ['TEXT/HTML; charset=utf-8', false],
  ['image/svg+xml', false],
  ['application/xhtml+xml', false],
  ['text/xml', false],
  ['application/pdfx', false],
  ['nonsense', false],
])('%p requested inline is shown in the browser: %p', async (type, shown) => {
  const file = await store(new Uint8Array([60]), type)
  const answer = await fetch(s.read(file, { disposition: 'inline' }))
  expect(answer.headers.get('content-disposition')).toStartWith(shown ? 'inline;' : 'attachment;')
  expect(answer.headers.get('content-security-policy')).toBe(shown ? null : 'sandbox')
  expect(answer.headers.get('content-type')).toBe(type === 'nonsense' ? 'application/octet-stream' : type)
})

test('a link expires to the microsecond', async () => {
  const link = s.read(name)
  s.clock.at = START + 60 * MINUTE - 1
  expect((await fetch(link)).status).toBe(200)
  s.clock.at += 1
  const late = await fetch(link)
  expect(late.status).toBe(403)
  expect(await late.json()).toEqual({
    message: 'This link has expired; ask for it again.',
    details: { code: 'storageLinkExpired' },
  })
  expect(late.headers.get('x-service-version')).toBe(VERSION)
})

test('a missing or incomplete file is 404', async () => {
  const unfinished = s.announce(10)
  expect((await get({}, 'GET', unfinished.name)).status).toBe(404)
  expect((await fetch(s.read(name, { kind: 'exports' }))).status).toBe(404)
  const gone = await store(bytes, 'application/pdf')
  await truncate(uploadPath(s.directory, gone), 999)
  expect((await get({}, 'GET', gone)).status).toBe(404)
  await rm(uploadPath(s.directory, gone))
  expect((await get({}, 'GET', gone)).status).toBe(404)
  expect((await fetch(s.url('/storage/'))).status).toBe(403)
})

test('64 MB are downloaded as they were uploaded', async () => {
  const content = new Uint8Array(64 * 1024 ** 2)
  const words = new Uint32Array(content.buffer)
  for (let at = 0, word = 1; at < words.length; at++) words[at] = word = Math.imul(word, 1_664_525) + 1_013_904_223
  const big = await store(content, 'video/mp4')
  expect(s.finished.get(big)).toEqual({ size: content.length, sha256: sha256(content) })
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of (await get({}, 'GET', big)).body!) hash.update(chunk)
  expect(hash.digest('hex')).toBe(sha256(content))
  const tail = await get({ Range: 'bytes=-1000001' }, 'GET', big)
  expect(sha256(await tail.bytes())).toBe(sha256(content.subarray(-1_000_001)))
})
