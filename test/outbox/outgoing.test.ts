/** Requests to addresses that people have entered: which are refused, and receivers that mean harm. */
import { afterAll, describe, expect, test } from 'bun:test'
import net from 'node:net'
import { networkFrom } from '#kernel/networks'
import { createOutgoingClient, type OutgoingConfig } from '#outbox/outgoing'
import { certificate } from './mailServer'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A server on TCP. Returns its port, and how many connections it had. */
async function raw(onRequest: (socket: net.Socket) => void) {
  const seen = { connections: 0, port: 0 }
  const server = net.createServer((socket) => {
    seen.connections++
    socket.on('error', () => {})
    socket.once('data', () => onRequest(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  seen.port = (server.address() as net.AddressInfo).port
  return seen
}

/** Writes again and again until the connection ends. */
function repeat(socket: net.Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 1)
  socket.on('close', () => clearInterval(timer))
}

const loopback = [networkFrom('127.0.0.0/8')!]
const post = (config: OutgoingConfig, url: string) =>
  createOutgoingClient({ timeLimit: 30_000, ...config }).send({ url, method: 'POST', headers: {}, body: '{}' })

const ok = (socket: net.Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')

describe('an address is refused, and nothing connects', () => {
  test.each([
    ['a loopback address', 'https://127.0.0.1:PORT/'],
    ['the same as one number', 'https://2130706433:PORT/'],
    ['in hexadecimal', 'https://0x7f.1:PORT/'],
    ['in octal', 'https://0177.0.0.1:PORT/'],
    ['as IPv6', 'https://[::ffff:127.0.0.1]:PORT/'],
    ['by NAT64', 'https://[64:ff9b::7f00:1]:PORT/'],
    ['the loopback address of IPv6', 'https://[::1]:PORT/'],
    ['localhost', 'https://localhost:PORT/'],
    ['a name of localhost', 'https://a.localhost.:PORT/'],
    ['full-width digits', 'https://１２７.0.0.1:PORT/'],
    ['metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['a private address', 'https://10.0.0.1/'],
    ['plain HTTP', 'http://hooks.test:PORT/'],
    ['another protocol', 'ftp://hooks.test:PORT/'],
    ['a password', 'https://anna:secret@hooks.test/'],
    ['no address', 'hooks'],
    ['a line break', 'https://hooks.test/\r\nX: y'],
    ['a space before it', ' https://hooks.test/'],
  ])('%s', async (_, url) => {
    const server = await raw(ok)
    const result = await post({ resolve: async () => ['8.8.8.8'] }, url.replace('PORT', `${server.port}`))
    expect(result).toMatchObject({ is: 'unanswered', isRefused: true })
    expect(server.connections).toBe(0)
  })

  test.each([
    ['a name with a private address', ['127.0.0.1']],
    ['one of whose addresses is private', ['8.8.8.8', '127.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
  ])('%s', async (_, addresses) => {
    const server = await raw(ok)
    const result = await post({ resolve: async () => addresses }, `https://hooks.test:${server.port}/`)
    expect(result).toMatchObject({ is: 'unanswered', isRefused: true })
    expect(server.connections).toBe(0)
  })

  test('unless the configuration allows its network; others stay refused', async () => {
    const server = await raw(ok)
    const config = {
      networks: loopback,
      resolve: async (host: string) => [host === 'in.test' ? '127.0.0.1' : '10.0.0.1'],
    }
    expect(await post(config, `http://127.0.0.1:${server.port}/`)).toMatchObject({ is: 'answered', status: 200 })
    expect(await post(config, `http://in.test:${server.port}/`)).toMatchObject({ is: 'answered', text: 'ok' })
    expect(await post(config, `http://out.test:${server.port}/`)).toMatchObject({ isRefused: true })
    expect(await post(config, 'http://10.0.0.1/')).toMatchObject({ isRefused: true })
    expect(server.connections).toBe(2)
  })
})

test('a name is resolved once, and the address that was checked is connected to', async () => {
  const server = await raw(ok)
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  let asked = 0
  const resolve = async () => answers[Math.min(asked++, 1)]!
  // Only the first address is allowed: a second look-up would lead to the other one.
  const config = { networks: [networkFrom('127.0.0.1')!], resolve }
  expect(await post(config, `http://rebinding.test:${server.port}/`)).toMatchObject({ is: 'answered', status: 200 })
  expect([asked, server.connections]).toEqual([1, 1])
  expect(await post(config, `http://rebinding.test:${server.port}/`)).toMatchObject({ isRefused: true })
  expect([asked, server.connections]).toEqual([2, 1])
})

test('if the first address cannot be reached, the next one is tried', async () => {
  const server = await raw(ok)
  const config = { networks: loopback, resolve: async () => ['127.0.0.99', '127.0.0.1'] }
  expect(await post(config, `http://two.test:${server.port}/`)).toMatchObject({ is: 'answered', status: 200 })
})

test('a redirect is not followed', async () => {
  const elsewhere = await raw(ok)
  const location = `http://127.0.0.1:${elsewhere.port}/`
  const server = await raw((socket) =>
    socket.end(`HTTP/1.1 307 Go\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
  )
  expect(await post({ networks: loopback }, `http://127.0.0.1:${server.port}/`)).toMatchObject({ status: 307 })
  expect(elsewhere.connections).toBe(0)
})

describe('a receiver that means harm has no effect but a failed request:', () => {
  const zeros = Bun.gzipSync(new Uint8Array(50 << 20))
  test.each<[string, (socket: net.Socket) => void, object]>([
    ['it never answers', () => {}, { problem: 'It did not answer in time.' }],
    ['it answers nothing but “go on”', (s) => repeat(s, 'HTTP/1.1 100 Continue\r\n\r\n'), { is: 'unanswered' }],
    [
      'its body never ends',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\n\r\n')
        repeat(s, 'x'.repeat(100_000))
      },
      { status: 200, text: 'x'.repeat(4_000) },
    ],
    [
      'its body comes too slowly',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        repeat(s, '')
      },
      { status: 200, text: '' },
    ],
    [
      'its headers never end',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\n')
        repeat(s, `X-A: ${'a'.repeat(1000)}\r\n`)
      },
      { is: 'unanswered' },
    ],
    [
      'one header never ends',
      (s) => {
        s.write('HTTP/1.1 200 OK\r\nX-A: ')
        repeat(s, 'a'.repeat(100_000))
      },
      { is: 'unanswered' },
    ],
    ['it sends no HTTP', (s) => s.end('SSH-2.0-OpenSSH_9.6\r\n'), { is: 'unanswered' }],
    ['it hangs up', (s) => s.destroy(), { is: 'unanswered' }],
    [
      'its body would become large',
      (s) => {
        s.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zeros.length}\r\n\r\n`)
        s.end(zeros)
      },
      { status: 200 },
    ],
  ])('%s', async (_, onRequest, expected) => {
    const server = await raw(onRequest)
    // Long enough for headers on a busy machine.
    const result = await post({ networks: loopback, timeLimit: 1_000 }, `http://127.0.0.1:${server.port}/`)
    expect(result).toMatchObject(expected)
    if (result.is === 'answered') expect(result.text.length).toBeLessThanOrEqual(4_000)
  })

  test('its name server never answers', async () => {
    const result = await post({ resolve: () => new Promise(() => {}), timeLimit: 300 }, 'https://slow.test/')
    expect(result).toMatchObject({ is: 'unanswered', problem: 'It did not answer in time.' })
  })

  test('its name has no address', async () => {
    expect(await post({ resolve: async () => [] }, 'https://no.test/')).toMatchObject({
      problem: 'Its name has no address.',
    })
  })
})

describe('over TLS', () => {
  test('the certificate must be valid for the name, whatever the address', async () => {
    const { cert, key } = await certificate()
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { cert, key },
      fetch: (r) => new Response(r.headers.get('host')),
    })
    closing.push(() => server.stop(true))
    const config = { networks: loopback, resolve: async () => ['127.0.0.1'] }
    const at = (host: string, more: OutgoingConfig = {}) =>
      post({ ...config, ...more }, `https://${host}:${server.port}/`)
    expect(await at('localhost', { ca: cert })).toMatchObject({ status: 200, text: `localhost:${server.port}` })
    for (const [host, more] of [
      ['other.test', { ca: cert }],
      ['localhost', {}],
    ] as const)
      expect(await at(host, more)).toMatchObject({ problem: expect.stringContaining('certificate cannot be trusted') })
  })

  test('a server without TLS is no receiver', async () => {
    const server = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect(await post({ networks: loopback }, `https://127.0.0.1:${server.port}/`)).toMatchObject({ is: 'unanswered' })
  })
})
