/** Uploads in parts, on a real server with only the storage routes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { refuse } from '#kernel/problem'
import { partOf } from '#storage/uploadParts'
import { runs } from '../proof'
import { until } from '../until'
import { createTestStorage } from './testStorage'

type TestStorage = Awaited<ReturnType<typeof createTestStorage>>
const TYPE = 'application/pdf'

let s: TestStorage
beforeAll(async () => {
  s = await createTestStorage()
})
afterAll(() => s.close())

/** A file of this size that is about to be uploaded. */
function begun(size: number) {
  const bytes = crypto.getRandomValues(new Uint8Array(size))
  const { name, link, path } = s.announce(size, TYPE)
  const send = async (range: string, body?: Uint8Array<ArrayBuffer>, type = TYPE) => {
    const answer = await fetch(link, { method: 'PUT', body, headers: { 'Content-Type': type, 'Content-Range': range } })
    return { status: answer.status, body: await answer.json() }
  }
  return {
    ...{ bytes, name, link, path, send },
    part: (from: number, to: number) => send(`bytes ${from}-${to}/${size}`, bytes.slice(from, to + 1)),
    ask: () => send(`bytes */${size}`),
    stored: async () => new Uint8Array(await (await fetch(s.read(name))).arrayBuffer()),
    left: async () => (await readdir(join(s.directory, 'tmp'))).filter((each) => each.startsWith(name)),
    /** How many bytes are in the temporary file, whether they count or not. */
    async written() {
      const [name] = await this.left()
      return name ? Bun.file(join(s.directory, 'tmp', name)).size : 0
    },
    /** Sends the beginning of a part, and then nothing. Returns what breaks the line. */
    begin(from: number, to: number, arriving: number) {
      const socket = connect(s.port, '127.0.0.1')
      socket.on('error', () => {})
      const head = `PUT ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${TYPE}\r\nContent-Range: bytes ${from}-${to}/${size}\r\n`
      socket.write(`${head}Content-Length: ${to + 1 - from}\r\n\r\n`)
      socket.write(bytes.slice(from, from + arriving))
      return () => socket.destroy()
    },
  }
}

describe('Content-Range', () => {
  test.each([
    ['bytes 0-499/1234', { bytes: { from: 0, to: 499 }, total: 1234 }],
    ['bytes 0-0/1', { bytes: { from: 0, to: 0 }, total: 1 }],
    ['bytes 1233-1233/1234', { bytes: { from: 1233, to: 1233 }, total: 1234 }],
    ['bytes */1234', { bytes: undefined, total: 1234 }],
  ])('%s', (header, part) => expect(partOf(header)).toEqual(part))

  test.each([
    ...['', 'bytes', 'bytes 0-499', 'bytes 0-499/*', 'bytes 5-4/10', 'bytes 0-10/10', 'bytes -5/10', 'bytes 5-/10'],
    ...['items 0-4/10', 'bytes 0-4/10,5-6/10', 'bytes 0-4/ 10', 'bytes 0x1-4/10', `bytes 0-4/${'9'.repeat(30)}`],
  ])('%j is refused', (header) => expect(() => partOf(header)).toThrow('Content-Range'))
})

describe('an upload in parts', () => {
  test('is complete with its last byte, once, and nothing is left', async () => {
    const file = begun(1000)
    expect(await file.ask()).toEqual({ status: 202, body: { received: 0 } })
    expect(await file.part(0, 399)).toEqual({ status: 202, body: { received: 400 } })
    expect(s.finished.has(file.name)).toBe(false)
    expect((await fetch(s.read(file.name))).status).toBe(404)
    expect(await file.part(400, 999)).toEqual({ status: 200, body: { fileName: file.name } })
    expect(await file.stored()).toEqual(file.bytes)
    const { size, sha256 } = s.finished.get(file.name)!
    expect([size, sha256]).toEqual([1000, new Bun.CryptoHasher('sha256').update(file.bytes).digest('hex')])
    expect(await file.left()).toEqual([])
    // Whoever lost the last answer gets it again.
    expect(await file.ask()).toEqual({ status: 200, body: { fileName: file.name } })
    expect(await file.part(400, 999)).toEqual({ status: 200, body: { fileName: file.name } })
  })

  test('goes on only where it stopped, with the declared total and type', async () => {
    const file = begun(1000)
    await file.part(0, 399)
    for (const [from, to] of [
      [0, 399],
      [300, 500],
      [401, 500],
      [999, 999],
    ] as const)
      expect(await file.part(from, to)).toMatchObject({ status: 409, body: { details: { received: 400 } } })
    expect((await file.send('bytes 400-499/1001', file.bytes.slice(400, 500))).status).toBe(400)
    expect((await file.send('bytes */999')).status).toBe(400)
    expect((await file.send('bytes 400-499/1000', file.bytes.slice(400, 500), 'text/plain')).status).toBe(400)
    // More bytes than it says: nothing of the part counts. Fewer: what came counts.
    expect((await file.send('bytes 400-499/1000', file.bytes.slice(400, 600))).status).toBe(400)
    expect(await file.ask()).toEqual({ status: 202, body: { received: 400 } })
    expect((await file.send('bytes 400-499/1000', file.bytes.slice(400, 450))).body).toEqual({ received: 450 })
    expect((await file.part(450, 999)).status).toBe(200)
    expect(await file.stored()).toEqual(file.bytes)
  })

  test('keeps what arrived before the line broke; whoever comes back need not wait for the end of the old request', async () => {
    const file = begun(300_000)
    const hang = file.begin(0, 299_999, 100_000)
    await until(async () => (await file.written()) > 0)
    // The line is dead, and the server does not know yet.
    const { body } = await file.ask()
    hang()
    expect(body.received).toBeWithin(1, 100_001)
    const again = file.begin(body.received, 299_999, 50_000)
    await until(async () => (await file.written()) > body.received)
    again()
    await until(async () => (await file.ask()).body.received > body.received)
    const { received } = (await file.ask()).body
    expect((await file.part(received, 299_999)).status).toBe(200)
    expect(await file.stored()).toEqual(file.bytes)
  })

  test('two at once never mix: one part counts, and the file is whole', async () => {
    const file = begun(50_000)
    let finished = 0
    s.hooks.finished = async () => void finished++
    const answers = await Promise.all(Array.from({ length: 8 }, () => file.part(0, 24_999)))
    expect(answers.every(({ status, body }) => status === 202 || body.details.received <= 25_000)).toBe(true)
    const { received } = (await file.ask()).body
    const ends = await Promise.all(Array.from({ length: 5 }, () => file.part(received, 49_999)))
    expect(ends.some(({ status }) => status === 200)).toBe(true)
    expect(await file.stored()).toEqual(file.bytes)
    expect(finished).toBe(1)
  })

  test('after a crash only bytes that were flushed count, and a file without its record gets it', async () => {
    const file = begun(1000)
    await file.part(0, 399)
    // A crash leaves bytes behind those that count.
    const [left] = await file.left()
    const path = join(s.directory, 'tmp', left!)
    await writeFile(path, Buffer.concat([file.bytes.slice(0, 400), Buffer.from('torn')]))
    expect((await file.ask()).body).toEqual({ received: 400 })
    // A crash between the name and the record.
    s.hooks.finished = async () => {
      throw new Error('crash')
    }
    expect(
      (
        await fetch(file.link, {
          method: 'PUT',
          body: file.bytes.slice(400),
          headers: { 'Content-Type': TYPE, 'Content-Range': 'bytes 400-999/1000' },
        })
      ).status,
    ).toBe(500)
    s.hooks.finished = async () => {}
    expect(await file.ask()).toEqual({ status: 200, body: { fileName: file.name } })
    expect(await file.stored()).toEqual(file.bytes)
    expect(await file.left()).toEqual([])
  })

  /** Sends the whole file as one part, of which the second half waits. Returns what sends it, and the status of the answer. */
  async function halfSent(file: ReturnType<typeof begun>) {
    let sendRest = () => {}
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(file.bytes.slice(0, 500))
        sendRest = () => {
          controller.enqueue(file.bytes.slice(500))
          controller.close()
        }
      },
    })
    const headers = { 'Content-Type': TYPE, 'Content-Range': 'bytes 0-999/1000' }
    const status = fetch(file.link, { method: 'PUT', body, headers }).then((answer) => answer.status)
    await until(async () => (await file.written()) > 0)
    return { sendRest, status }
  }

  test.each(['and its bytes with it', 'and its bytes were not found'])(
    'whose record is deleted while it arrives, as by an erasure, %s: leaves nothing',
    async (bytes) => {
      const file = begun(1000)
      const { sendRest, status } = await halfSent(file)
      s.expected.delete(file.name)
      if (bytes === 'and its bytes with it')
        for (const each of await file.left()) await rm(join(s.directory, 'tmp', each))
      sendRest()
      expect(await status).toBe(404)
      expect((await s.kept()).filter((each) => each.startsWith(file.name))).toEqual([])
    },
  )

  test('whose record is deleted when it has its name already, leaves nothing', async () => {
    const file = begun(1000)
    s.hooks.finished = async () => {
      s.expected.delete(file.name)
      throw refuse.bad('uploadLinkOver')
    }
    expect((await file.part(0, 999)).status).toBe(404)
    s.hooks.finished = async () => {}
    expect((await s.kept()).filter((each) => each.startsWith(file.name))).toEqual([])
  })

  test('property: whatever is cut, sent twice or asked in between, the stored bytes are those of the file, or it is not complete', async () => {
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('part' as const),
        from: fc.integer({ min: -3, max: 3 }),
        length: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({
        kind: fc.constant('short' as const),
        length: fc.integer({ min: 2, max: 90 }),
        arriving: fc.integer({ min: 0, max: 90 }),
      }),
      fc.record({ kind: fc.constant('ask' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const size = 200
        const file = begun(size)
        let known = 0
        for (const each of acts) {
          if (s.finished.has(file.name)) break
          const from = Math.max(0, Math.min(size - 1, known + (each.kind === 'part' ? each.from : 0)))
          const to = Math.min(size - 1, from + ('length' in each ? each.length : 1) - 1)
          const sent = each.kind === 'short' ? Math.min(each.arriving, to - from) : to + 1 - from
          const { body } =
            each.kind === 'ask'
              ? await file.ask()
              : await file.send(`bytes ${from}-${to}/${size}`, file.bytes.slice(from, from + sent))
          const now = body.received ?? body.details?.received ?? size
          expect(now).toBeGreaterThanOrEqual(known)
          known = now
        }
        if (!s.finished.has(file.name)) {
          expect((await fetch(s.read(file.name))).status).toBe(404)
          expect((await file.part(known, size - 1)).status).toBe(200)
        }
        expect(await file.stored()).toEqual(file.bytes)
      }),
      { numRuns: runs(60) },
    )
  })
})
