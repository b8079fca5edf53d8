import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, utimes } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { MINUTE } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { removeUnfinishedUploads } from '#storage/upload'
import { until } from '../until'
import { createTestStorage, put, START, type TestStorage, VERSION } from './testStorage'

let s: TestStorage
beforeAll(async () => {
  s = await createTestStorage()
})
afterAll(() => s.close())
afterEach(() => {
  s.clock.at = START
  s.hooks.finished = async () => {}
})

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31) & 0xff)
const inPieces = (...pieces: Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })

test('an upload is stored completely, with its size and SHA-256, and the response has its stored name', async () => {
  const { name, link } = s.announce(1000)
  const answer = await put(link, bytes(1000))
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ fileName: name })
  expect(answer.headers.get('X-Service-Version')).toBe(VERSION)
  expect(s.finished.get(name)).toEqual({ size: 1000, sha256: sha256(bytes(1000)) })
  expect(await Bun.file(uploadPath(s.directory, name)).bytes()).toEqual(bytes(1000))
  expect((await s.kept()).filter((file) => !s.finished.has(file))).toEqual([])
})

test('an empty file is accepted', async () => {
  const { name, link } = s.announce(0)
  expect((await put(link, new Uint8Array())).status).toBe(200)
  expect(s.finished.get(name)).toEqual({ size: 0, sha256: sha256('') })
})

describe('an upload that differs from its declaration is refused and not kept', () => {
  const declared = 'text/csv; charset=utf-8'
  const cases: [string, BodyInit | (() => BodyInit), string, string][] = [
    ['one byte more', bytes(101), declared, 'exactly the declared 100 bytes'],
    ['one byte fewer', bytes(99), declared, 'exactly the declared 100 bytes'],
    ['nothing', bytes(0), declared, 'exactly the declared 100 bytes'],
    ['one byte more, unannounced', () => inPieces(bytes(60), bytes(41)), declared, 'exactly the declared 100 bytes'],
    ['one byte fewer, unannounced', () => inPieces(bytes(60), bytes(39)), declared, 'exactly the declared 100 bytes'],
    ['far too much, unannounced', () => inPieces(bytes(5_000_000), bytes(5_000_000)), declared, 'exactly the declared'],
    ['another type', bytes(100), 'text/plain; charset=utf-8', 'Content-Type must be the declared text/csv'],
    ['no parameter', bytes(100), 'text/csv', 'Content-Type must be the declared text/csv'],
    ['another parameter', bytes(100), 'text/csv; charset=latin1', 'Content-Type must be the declared text/csv'],
  ]
  test.each(cases)('%s', async (_name, body, type, message) => {
    const { name, link } = s.announce(100, declared)
    const before = await s.kept()
    const answer = await put(link, typeof body === 'function' ? body() : body, type)
    expect(answer.status).toBe(400)
    expect(((await answer.json()) as { message: string }).message).toContain(message)
    expect(answer.headers.get('X-Service-Version')).toBe(VERSION)
    expect(s.finished.has(name)).toBe(false)
    await until(async () => Bun.deepEquals(await s.kept(), before))
  })

  test('no type at all', async () => {
    const { link } = s.announce(3, 'text/csv')
    expect((await fetch(link, { method: 'PUT', body: bytes(3) })).status).toBe(400)
  })
})

test.each([
  ['text/csv', 'TEXT/CSV'],
  ['text/csv; charset=utf-8', 'text/csv;charset=UTF-8'],
  ['Image/PNG', 'image/png'],
])('declared as %p, a body of %p is accepted', async (declared, sent) => {
  expect((await put(s.announce(3, declared).link, bytes(3), sent)).status).toBe(200)
})

test('without a length, exactly the declared bytes are accepted', async () => {
  const { name, link } = s.announce(100)
  expect((await put(link, inPieces(bytes(60), bytes(40)))).status).toBe(200)
  expect(s.finished.get(name)?.size).toBe(100)
})

test('a finished file is never replaced', async () => {
  const { name, link } = s.announce(10)
  await put(link, bytes(10))
  const again = await put(link, new Uint8Array(10))
  expect(again.status).toBe(400)
  expect(((await again.json()) as { message: string }).message).toContain('already uploaded')
  expect(await Bun.file(uploadPath(s.directory, name)).bytes()).toEqual(bytes(10))
})

test('of simultaneous uploads to one link exactly one is kept, completely', async () => {
  const { name, link } = s.announce(300_000)
  const bodies = [1, 2, 3, 4, 5].map((value) => new Uint8Array(300_000).fill(value))
  const answers = await Promise.all(bodies.map((body) => put(link, body)))
  const winners = answers.flatMap((answer, at) => (answer.status === 200 ? [at] : []))
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 400, 400, 400, 400])
  expect(await Bun.file(uploadPath(s.directory, name)).bytes()).toEqual(bodies[winners[0]!]!)
  expect(s.finished.get(name)?.sha256).toBe(sha256(bodies[winners[0]!]!))
})

test('an interrupted upload leaves nothing, and can be repeated', async () => {
  const { name, path, link } = s.announce(1_000_000)
  const before = await s.kept()
  const socket = connect(s.port, '127.0.0.1')
  socket.write(`PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pdf\r\nContent-Length: 1000000\r\n\r\n`)
  socket.write(bytes(500_000))
  await until(async () => (await s.kept()).length === before.length + 1)
  socket.destroy()
  await until(async () => (await s.kept()).length === before.length)
  expect(s.finished.has(name)).toBe(false)
  expect((await put(link, bytes(1_000_000))).status).toBe(200)
})

test('if an upload cannot be recorded, its bytes wait for the next use of the link; of one that is deleted, nothing stays', async () => {
  const { name, link } = s.announce(10)
  s.hooks.finished = async () => {
    throw refuse.databaseLocked()
  }
  expect((await put(link, bytes(10))).status).toBe(403)
  s.hooks.finished = async () => {
    throw new Error('disk fault')
  }
  expect((await put(link, bytes(10))).status).toBe(500)
  expect(await s.kept()).toContain(name)
  s.hooks.finished = async () => {}
  expect((await put(link, bytes(10))).status).toBe(200)
  const deleted = s.announce(10)
  s.hooks.finished = async () => {
    s.expected.delete(deleted.name)
    throw refuse.missing('upload')
  }
  expect((await put(deleted.link, bytes(10))).status).toBe(404)
  expect(await s.kept()).not.toContain(deleted.name)
})

test('the response waits until the upload is recorded', async () => {
  const { link } = s.announce(10)
  const recorded = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  s.hooks.finished = async () => {
    reached.resolve()
    await recorded.promise
  }
  let answered = false
  const answer = put(link, bytes(10)).then((response) => {
    answered = true
    return response
  })
  await reached.promise
  await Bun.sleep(50)
  expect(answered).toBe(false)
  recorded.resolve()
  expect((await answer).status).toBe(200)
})

test('a link is refused that is expired, for reading, or without an announced upload', async () => {
  const { name, link } = s.announce(10)
  s.clock.at = START + 60 * MINUTE
  expect((await put(link, bytes(10))).status).toBe(403)
  s.clock.at -= 1
  expect((await put(s.read(name), bytes(10))).status).toBe(403)
  expect((await put(link, bytes(10))).status).toBe(200)
  const unknown = s.announce(10)
  s.expected.delete(unknown.name)
  expect((await put(unknown.link, bytes(10))).status).toBe(404)
})

test('old temporary files are removed, but not new ones, those of running uploads, or finished ones', async () => {
  const finished = s.announce(10)
  await put(finished.link, bytes(10))
  await mkdir(join(s.directory, 'tmp'), { recursive: true })
  for (const [name, second] of [
    ['old', 999],
    ['new', 1000],
  ] as const) {
    await Bun.write(join(s.directory, 'tmp', name), 'half')
    await utimes(join(s.directory, 'tmp', name), second, second)
  }
  expect(await removeUnfinishedUploads(s.directory, 1_000_000_000)).toBe(1)
  expect(await s.kept()).not.toContain('old')
  expect(await s.kept()).toContain('new')

  const live = s.announce(20)
  const before = (await s.kept()).length
  const { readable, writable } = new TransformStream<Uint8Array>()
  const writer = writable.getWriter()
  const answer = put(live.link, readable as ReadableStream<Uint8Array<ArrayBuffer>>)
  await writer.write(bytes(10))
  await until(async () => (await s.kept()).length === before + 1)
  expect(await removeUnfinishedUploads(s.directory, START * 2)).toBe(1)
  await writer.write(bytes(10))
  await writer.close()
  expect((await answer).status).toBe(200)
  expect(await s.kept()).toContain(finished.name)
  expect(await removeUnfinishedUploads(join(s.directory, 'nowhere'), START)).toBe(0)
})
