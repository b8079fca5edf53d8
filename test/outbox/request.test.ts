/** What one request to an outside service may cost, whatever the service does. */
import { afterAll, describe, expect, test } from 'bun:test'
import net from 'node:net'
import { chatCompletion } from '#jobs/chat'
import { post } from '#outbox/httpMessage'
import { request, retryAfter } from '#outbox/request'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A server on TCP; `onRequest` gets the number of the request on its connection. Returns its address. */
async function raw(onRequest: (socket: net.Socket, number: number) => void): Promise<string> {
  const server = net.createServer((socket) => {
    let number = 0
    socket.on('error', () => {})
    socket.on('data', () => onRequest(socket, ++number))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`
}

const limits = { timeLimit: 500, sizeLimit: 10_000 }
const get = (url: string, more: Partial<typeof limits> = {}) => request({ method: 'GET', url }, { ...limits, ...more })

describe('a body', () => {
  test('is read whole, and its characters stay whole between two pieces', async () => {
    const [first, second] = [Buffer.from('né').subarray(0, 2), Buffer.from('né').subarray(2)]
    const url = await raw((s) => {
      s.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n')
      s.write(first, () => setTimeout(() => s.write(second), 5))
    })
    expect(await get(url)).toEqual({ is: 'answered', status: 200, headers: expect.anything(), text: 'né' })
  })

  const bomb = Bun.gzipSync(new Uint8Array(50 << 20))
  test.each<[string, (s: net.Socket) => void, string]>([
    [
      'without end',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\n\r\n')
        const timer = setInterval(() => s.write('x'.repeat(20_000)), 1)
        s.on('close', () => clearInterval(timer))
      },
      'It sent more than 10 KB.',
    ],
    [
      'that becomes large when it is unpacked',
      (s) =>
        s.end(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`),
            bomb,
          ]),
        ),
      'It sent more than 10 KB.',
    ],
    ['that stops', (s) => s.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'), 'It did not answer in time.'],
    ['that breaks off', (s) => s.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'), 'The connection broke'],
  ])('%s is told as not whole, and no more than the limit is kept', async (_, onRequest, problem) => {
    const result = await get(await raw(onRequest))
    expect(result).toMatchObject({ is: 'answered', status: 200, missing: { text: expect.stringContaining(problem) } })
    if (result.is === 'answered') expect(result.text.length).toBeLessThanOrEqual(limits.sizeLimit)
  })

  test('that nobody needs is not waited for: a message was sent when its status says so', async () => {
    const url = await raw((s) => s.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'))
    const began = performance.now()
    expect(await post({ url, headers: {}, body: 'x', secrets: [], timeLimit: 20_000 })).toEqual({
      is: 'sent',
      code: 200,
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

test('a connection that the service closed meanwhile is not used again: no message is lost by it', async () => {
  const url = await raw((socket, number) => {
    if (number === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    else socket.destroy()
  })
  for (let n = 0; n < 3; n++)
    expect(await post({ url, headers: {}, body: 'x', secrets: [] })).toEqual({ is: 'sent', code: 200 })
})

test.each([
  ['http://127.0.0.1:1/', 'It could not be reached (ECONNREFUSED).', true],
  ['http://no.such.invalid/', 'Its name cannot be resolved (ENOTFOUND).', true],
] as const)('%s: %s', async (url, problem, isUnsent) => {
  expect(await get(url)).toMatchObject({ is: 'unanswered', problem: { text: problem }, isUnsent })
})

test('a service that speaks no TLS got nothing', async () => {
  const url = await raw((s) => s.end('HTTP/1.1 200 OK\r\n\r\n'))
  expect(await get(url.replace('http', 'https'))).toMatchObject({ is: 'unanswered', isUnsent: true })
})

test('an AI endpoint that answers without end is refused', async () => {
  const url = await raw((s) => {
    s.write('HTTP/1.1 200 OK\r\n\r\n')
    const timer = setInterval(() => s.write('x'.repeat(1 << 20)), 1)
    s.on('close', () => clearInterval(timer))
  })
  const answer = chatCompletion({ url, model: 'any' }, [])
  expect(await answer.catch((error: Error) => error.message)).toContain('It sent more than 8 MB.')
})

test.each([
  ['120', 120],
  ['Mon, 02 Mar 2026 12:01:00 GMT', 60],
  ['Mon, 02 Mar 2026 11:00:00 GMT', 0],
  ['999999999999', undefined],
  ['soon', undefined],
  ['-5', 0],
  ['1e9', undefined],
  ['', undefined],
])('Retry-After: %s', (header, expected) => {
  const now = Date.parse('2026-03-02T12:00:00Z') + 0.123
  expect(retryAfter(new Headers({ 'Retry-After': header }), now)).toBe(expected)
})
