import { afterEach, expect, test } from 'bun:test'
import { listen } from '#server/listen'
import type { Service } from '#server/service'
import { world } from './harness'

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop()
})

const TOKEN = 'a token for Prometheus'

/** A service with a server. */
function startServer(service: Service, where: { forwarded?: boolean; metricsToken?: string } = {}) {
  const server = listen(service, { host: '127.0.0.1', port: 0, ...where })
  open.push(server)
  return `http://127.0.0.1:${server.port}`
}

/** The lines of a response by name and labels. */
const linesOf = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))] as const
      }),
  )

test('requests are counted by operation and status, and timed', async () => {
  const w = world()
  const url = startServer(w.service)
  const trial = w.trial()
  for (const name of ['Arm A', 'Arm B', 'x']) await w.owner.call('POST', `/trials/${trial}/groups`, { name })
  await w.owner.do('listGroups', trial)
  await w.nobody.call('GET', `/nowhere/${trial}?secret=1`)
  await fetch(`${url}/`)
  await fetch(`${url}/nowhere`, { method: 'PROPFIND' })
  const answer = await fetch(`${url}/metrics`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(answer.headers.get('x-service-version')).toBe('0.0.0+test')
  const text = await answer.text()
  const lines = linesOf(text)
  const groups = 'route="/trials/:trialId/groups"'
  expect(lines.get(`trialbox_requests_total{method="POST",${groups},status="200"}`)).toBe(2)
  expect(lines.get(`trialbox_requests_total{method="POST",${groups},status="422"}`)).toBe(1)
  expect(lines.get(`trialbox_requests_total{method="GET",${groups},status="200"}`)).toBe(1)
  expect(lines.get('trialbox_requests_total{method="GET",route="none",status="404"}')).toBe(1)
  expect(lines.get('trialbox_requests_total{method="GET",route="/",status="200"}')).toBe(1)
  expect(lines.get(`trialbox_request_duration_seconds_count{method="POST",${groups}}`)).toBe(3)
  expect(lines.get(`trialbox_request_duration_seconds_bucket{method="POST",${groups},le="+Inf"}`)).toBe(3)
  expect(lines.get('trialbox_commit_acts_sum')!).toBeGreaterThanOrEqual(2)
  expect(lines.get('trialbox_database_bytes')!).toBeGreaterThanOrEqual(4096)
  expect(lines.get('trialbox_wal_bytes')!).toBeGreaterThan(0)
  expect(lines.get('process_resident_memory_bytes')!).toBeGreaterThan(1_000_000)
  expect(lines.get('trialbox_uptime_seconds')!).toBeGreaterThan(0)
  // No personal data, and no text of a request.
  expect(text).not.toMatch(/[0-9a-f]{24}|secret|example\.org|PROPFIND|Arm/)
})

test('a bucket counts all values up to its bound', () => {
  const { metrics } = world().service
  for (const milliseconds of [0.2, 1, 1.1, 99, 100, 60_000])
    metrics.request({ method: 'GET', pattern: '/x', status: 200, milliseconds })
  for (const acts of [1, 1, 3, 500]) metrics.commit(acts)
  const lines = linesOf(metrics.text())
  const buckets = (name: string) =>
    [...lines].filter(([key]) => key.startsWith(`${name}_bucket`)).map(([, count]) => count)
  expect(buckets('trialbox_request_duration_seconds')).toEqual([2, 3, 3, 5, 5, 5, 5, 6])
  expect(buckets('trialbox_commit_acts')).toEqual([2, 2, 3, 3, 3, 3, 3, 4])
  expect(lines.get('trialbox_commit_acts_sum')).toBe(505)
  expect(lines.get('trialbox_commit_acts_count')).toBe(4)
})

test('a commit that requests share is counted once, with their number', async () => {
  const { service } = world()
  const { commit } = service.services
  const before = linesOf(service.metrics.text())
  await Promise.all([1, 2, 3].map(() => commit((): unknown => undefined)))
  const after = linesOf(service.metrics.text())
  const more = (name: string) => after.get(name)! - before.get(name)!
  expect([more('trialbox_commit_acts_count'), more('trialbox_commit_acts_sum')]).toEqual([1, 3])
})

test('jobs are counted by their status', () => {
  const { service } = world()
  const insert = service.services.db.$client.query(
    `INSERT INTO jobs (_id, createdAt, kind, user, input, status, progress, startedAt) VALUES (?, 1, 'x', 'u', '{}', ?, '', ?)`,
  )
  const jobs = [
    ['pending', null],
    ['pending', 5],
    ['done', 5],
    ['done', 5],
    ['error', 5],
  ] as const
  for (const [at, [status, startedAt]] of jobs.entries()) insert.run(`${at}`, status, startedAt)
  const lines = linesOf(service.metrics.text())
  const count = (status: string) => lines.get(`trialbox_jobs{status="${status}"}`)
  expect(['pending', 'running', 'done', 'error'].map(count)).toEqual([1, 1, 2, 1])
})

test.each<[string, { forwarded?: boolean; metricsToken?: string }, Record<string, string>, number]>([
  ['this machine', {}, {}, 200],
  ['this machine, though a token is set', { metricsToken: TOKEN }, {}, 200],
  ['a proxy on this machine that is not configured', {}, { 'X-Forwarded-For': '203.0.113.9' }, 401],
  ['a proxy that names this machine, but is not believed', {}, { 'X-Forwarded-For': '127.0.0.1' }, 401],
  ['a proxy that says so in another header', {}, { Forwarded: 'for=203.0.113.9' }, 401],
  ['a client of the proxy', { forwarded: true }, { 'X-Forwarded-For': '203.0.113.9' }, 401],
  [
    'a client that adds the address of this machine',
    { forwarded: true },
    { 'X-Forwarded-For': '127.0.0.1, 203.0.113.9' },
    401,
  ],
  ['this machine, through the proxy', { forwarded: true }, { 'X-Forwarded-For': '127.0.0.1' }, 200],
  ['a proxy with “for” in another header', { forwarded: true }, { Via: '1.1 proxy', 'X-Forwarded-For': '::1' }, 200],
  ['a proxy without the header', { forwarded: true }, {}, 401],
  ['a client with the token', { forwarded: true, metricsToken: TOKEN }, { Authorization: `Bearer ${TOKEN}` }, 200],
  ['a client with another token', { forwarded: true, metricsToken: TOKEN }, { Authorization: `Bearer ${TOKEN}.` }, 401],
  ['a token if none is set', { forwarded: true }, { Authorization: 'Bearer undefined' }, 401],
])('%s', async (_who, where, headers, status) => {
  const { service } = world()
  const answer = await fetch(`${startServer(service, where)}/metrics`, { headers })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('x-service-version')).toBe('0.0.0+test')
  const text = await answer.text()
  expect(text.includes('trialbox_database_bytes')).toBe(status === 200)
  if (status === 401) expect(JSON.parse(text).message).toContain('TRIALBOX_METRICS_TOKEN')
})

test('only GET is allowed', async () => {
  const { service } = world()
  expect((await fetch(`${startServer(service)}/metrics`, { method: 'POST' })).status).toBe(404)
})
