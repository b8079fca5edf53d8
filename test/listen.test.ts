import { afterEach, expect, test } from 'bun:test'
import { connect } from 'node:net'
import type { LoggedRequest } from '#http/mount'
import type { Services } from '#http/services'
import { listen } from '#server/listen'
import type { Service } from '#server/service'
import { world } from './harness'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop()
})

/** A server with a fake service that has only the given parts. */
function listenOn(part: Partial<Service>, forwarded = false, more: Partial<Parameters<typeof listen>[1]> = {}) {
  const noticed: LoggedRequest[] = []
  const services = { version: '1.0.0+abc', fault: () => {} } as unknown as Services
  const service = {
    services,
    operations: async () => [],
    closeRooms: async () => {},
    onRequest: (each: LoggedRequest) => noticed.push(each),
    ...part,
  } as unknown as Service
  const server = listen(service, { host: '127.0.0.1', port: 0, forwarded, ...more })
  open.push(server)
  return { ...server, noticed, url: `http://127.0.0.1:${server.port}` }
}

test.each([
  [false, undefined, '127.0.0.1'],
  [false, '203.0.113.9', '127.0.0.1'],
  [true, undefined, '127.0.0.1'],
  [true, '203.0.113.9', '203.0.113.9'],
  [true, '10.6.6.6, 203.0.113.9', '203.0.113.9'],
  [true, '203.0.113.9 , 2001:db8::7', '2001:db8::7'],
  [true, '::ffff:203.0.113.9', '203.0.113.9'],
])('behind a proxy %p, forwarded for %p: the request came from %s', async (forwarded, header, address) => {
  const handle: Service['handle'] = async (_request, from) => Response.json({ from })
  const { url } = listenOn({ handle }, forwarded)
  const headers: Record<string, string> = header ? { 'X-Forwarded-For': header } : {}
  expect(await (await fetch(`${url}/x`, { headers })).json()).toEqual({ from: address })
})

test.each([
  [true, 'https', 'study.example.org', 'https://study.example.org'],
  [true, 'https', 'inner, study.example.org:8443', 'https://study.example.org:8443'],
  [true, 'https', 'nas', 'https://nas'],
  [true, 'https', '[2001:db8::7]:1', 'https://[2001:db8::7]:1'],
  [true, 'https', 'a.example/evil?', undefined],
  [true, 'https', 'user@a.example', undefined],
  [true, 'javascript', 'a.example', undefined],
  [true, undefined, 'a.example', undefined],
  [false, 'https', 'a.example', undefined],
])('behind a proxy %p, forwarded from %p and %p: links begin with %p', async (forwarded, proto, host, expected) => {
  const handle: Service['handle'] = async (_request, _address, origin) => Response.json({ origin })
  const headers = { ...(proto && { 'X-Forwarded-Proto': proto }), 'X-Forwarded-Host': host }
  const ask = async ({ url }: { url: string }) => (await (await fetch(`${url}/x`, { headers })).json()).origin
  expect(await ask(listenOn({ handle }, forwarded))).toBe(expected)
  expect(await ask(listenOn({ handle }, forwarded, { publicUrl: 'https://s.example' }))).toBeUndefined()
})

test('requests to the storage reach only the storage, and the log has no file names', async () => {
  const handle: Service['handle'] = async () => Response.json({ by: 'operations' })
  const { url, noticed } = listenOn({ handle, storage: async (request) => Response.json({ by: request.url }) })
  const path = '/storage/files/secret?signature=x'
  expect(await (await fetch(url + path)).json()).toEqual({ by: url + path })
  expect(await (await fetch(`${url}/other?a=/storage/files/x`)).json()).toEqual({ by: 'operations' })
  expect(noticed).toMatchObject([{ method: 'GET', pattern: '/storage/:kind/:name', status: 200 }])
})

test.each([
  ['POST', '/poll/study/abc'],
  ['GET', '/poll/study/abc/'],
  ['GET', '/poll/study/'],
  ['GET', '/poll'],
])('the log does not say from where a poll was opened, of a broken link neither: %s %s', async (method, path) => {
  const { url, noticed } = listenOn({ handle: async () => Response.json({}) })
  await fetch(url + path, { method, redirect: 'manual', headers: { Accept: 'text/html' } })
  expect(noticed).toMatchObject([{ method, pattern: '/poll/:link', address: null }])
})

test('a fault outside the operations is a plain 500', async () => {
  const { url } = listenOn({
    handle: async () => {
      throw new Error('patient 7')
    },
  })
  const response = await fetch(`${url}/x`)
  expect(response.status).toBe(500)
  expect(response.headers.get('x-service-version')).toBe('1.0.0+abc')
  expect(await response.text()).not.toContain('patient')
})

test('a stop waits for running requests, and closes idle connections', async () => {
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>()
  const { url, port, stop } = listenOn({
    handle: async () => {
      isAsked()
      await go
      return Response.json({ done: true })
    },
  })
  const idle = connect(port, '127.0.0.1')
  const { promise: closed, resolve: isClosed } = Promise.withResolvers<void>()
  idle.on('close', () => isClosed())
  const answer = fetch(`${url}/slow`)
  await asked
  const stopped = stop()
  goOn()
  expect(await (await answer).json()).toEqual({ done: true })
  idle.end()
  await Promise.all([stopped, closed])
  expect(fetch(url).then(() => 'answered')).rejects.toThrow()
})

test('a port in use is an error that says so', () => {
  const { port } = listenOn({})
  expect(() => listen({ services: { version: '1' } } as unknown as Service, { host: '127.0.0.1', port })).toThrow(
    `Port ${port} on 127.0.0.1 cannot be listened on (another program uses it): choose another with --port or --host.`,
  )
})

test('the limit of a body counts the bytes sent, not the announced length', async () => {
  const w = world()
  const { url } = listenOn(w.service)
  const trial = w.trial()
  const post = (body: BodyInit) =>
    fetch(`${url}/trials/${trial}/groups`, {
      method: 'POST',
      headers: { ...w.owner.credentials, 'Content-Type': 'application/json' },
      body,
    })
  const chunks = (name: string) =>
    new ReadableStream({
      start(controller) {
        const bytes = new TextEncoder().encode(JSON.stringify({ name }))
        for (let at = 0; at < bytes.length; at += 100_001) controller.enqueue(bytes.slice(at, at + 100_001))
        controller.close()
      },
    })
  expect((await post(chunks('Arm Ä'))).status).toBe(200)
  expect((await post(chunks('x'.repeat(1000)))).status).toBe(422)
  expect((await post(chunks('x'.repeat(3 << 20)))).status).toBe(413)
  expect((await post('x'.repeat(3 << 20))).status).toBe(413)
  expect((await w.owner.do('listGroups', trial)).groups).toMatchObject([{ name: 'Arm Ä' }])
})

test('a body that is not UTF-8 is refused, never altered', async () => {
  const w = world()
  const { url } = listenOn(w.service)
  const trial = w.trial()
  const bytes = Buffer.concat([Buffer.from('{"name":"Arm '), Buffer.from([0xc4]), Buffer.from('"}')]) // Latin-1
  const response = await fetch(`${url}/trials/${trial}/groups`, {
    method: 'POST',
    headers: { ...w.owner.credentials, 'Content-Type': 'application/json' },
    body: bytes,
  })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ validations: { json: { _schema: ['The body is not valid UTF-8.'] } } })
})
