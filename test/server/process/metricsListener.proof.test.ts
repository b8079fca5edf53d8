/** The metrics on a listener of their own, from the program itself. */
import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { bun, freshFolder, root } from './folder'

const running: Bun.Subprocess[] = []
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.kill('SIGKILL')
    await each.exited
  }
})

/** A port that nothing listens on. */
function freePort(): number {
  const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop(true)
  return port
}

/** Starts a server, and waits until it answers. Returns its address. */
async function serving(...flags: string[]): Promise<string> {
  const port = freePort()
  const words = ['serve', '--data', join(freshFolder(), 'data'), '--tls', 'off', '--port', `${port}`, ...flags]
  running.push(
    Bun.spawn([bun, join(root, 'src/start/main.ts'), ...words], {
      env: { ...process.env, TRIALBOX_METRICS_TOKEN: 'a-token-for-Prometheus' },
      stdout: 'ignore',
      stderr: 'ignore',
    }),
  )
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    try {
      await fetch(`${url}/health`)
      return url
    } catch (reason) {
      if (tries === 300) throw reason
      await Bun.sleep(100)
    }
  }
}

const statusOf = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status
const forwarded = { 'X-Forwarded-For': '192.0.2.7' }
const token = { Authorization: 'Bearer a-token-for-Prometheus' }

test('with a listener of their own, the metrics are there only, by the same rules, and nothing else is', async () => {
  const port = freePort()
  const main = await serving('--metrics-listen', `127.0.0.1:${port}`)
  const own = `http://127.0.0.1:${port}`
  expect(await statusOf(`${main}/metrics`)).toBe(404)
  expect(await statusOf(`${main}/metrics`, token)).toBe(404)
  expect(await (await fetch(`${own}/metrics`)).text()).toContain('\ntrialbox_uptime_seconds ')
  expect(await statusOf(`${own}/metrics`, forwarded)).toBe(401)
  expect(await statusOf(`${own}/metrics`, { ...forwarded, ...token })).toBe(200)
  for (const path of ['/', '/health', '/teams', '/metrics/x', '/storage/file/x'])
    expect([path, await statusOf(`${own}${path}`)]).toEqual([path, 404])
  expect((await fetch(`${own}/metrics`, { method: 'POST' })).status).toBe(404)
})

test('without one, they are on the main port', async () => {
  expect(await statusOf(`${await serving()}/metrics`)).toBe(200)
})
