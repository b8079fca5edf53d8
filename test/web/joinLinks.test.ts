/** Links that people have lead into the app. */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { testServer } from '../testServer'

test('links of sign-in grants, of messages and of providers of wearables lead into the app, and nothing keeps them', async () => {
  const { service } = await testServer()
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  try {
    const base = `http://127.0.0.1:${server.port}`
    const led = async (path: string) => {
      const { status, headers } = await fetch(base + path, { redirect: 'manual' })
      return [status, headers.get('location'), headers.get('cache-control')]
    }
    const table: [string, string][] = [
      ['/join', '/app/'],
      ['/join?grant=a_b-c', '/app/join/a_b-c'],
      ['/join?grant=%2F%2Felsewhere.test', '/app/join/%2F%2Felsewhere.test'],
      ['/join/connections/fitbit?code=1%262&state=x', '/app/connections/fitbit?code=1%262&state=x'],
    ]
    for (const [path, to] of table) expect([path, await led(path)]).toEqual([path, [303, to, 'no-store']])
    expect((await led('/join/other'))[0]).toBe(404)
  } finally {
    await server.stop()
  }
})
