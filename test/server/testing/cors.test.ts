/** Which pages of other addresses may use the API from a browser. */
import { describe, expect, test } from 'bun:test'
import { configure } from '#server/config/settings'
import { corsFor } from '#server/cors'
import { operations } from '#start/app'
import { fromSource, startServer, testServerLine } from '../../program'
import { proof } from '../../proof'

const APP = 'https://app.example.org'

const asked = async (origins: 'any' | readonly string[], method: string, headers: Record<string, string>) => {
  const request = new Request('http://localhost/trials', { method, headers })
  const response = await corsFor(origins)(request, async () => Response.json({ message: 'here' }, { status: 404 }))
  return { status: response.status, headers: response.headers }
}
const preflight = {
  'Access-Control-Request-Method': 'PUT',
  'Access-Control-Request-Headers': 'authorization,x-csrf-token',
}

describe('a preflight', () => {
  test.each<[string, 'any' | readonly string[], string, boolean]>([
    ['of a named origin', [APP], APP, true],
    ['of another origin', [APP], 'https://evil.example.org', false],
    ['of a part of the name', [APP], 'https://app.example.org.evil.org', false],
    ['of the origin of no page', [APP], 'null', false],
    ['without any origin named', [], APP, false],
    ['on a test server', 'any', 'http://localhost:3000', true],
  ])('%s', async (_what, origins, origin, isPermitted) => {
    const { status, headers } = await asked(origins, 'OPTIONS', { Origin: origin, ...preflight })
    expect(status).toBe(isPermitted ? 204 : 404)
    expect(headers.get('access-control-allow-origin')).toBe(isPermitted ? origin : null)
    expect(headers.get('access-control-allow-headers')).toBe(isPermitted ? 'authorization,x-csrf-token' : null)
    const methods = headers.get('access-control-allow-methods')?.split(', ') ?? []
    if (isPermitted) for (const { method } of operations) expect(methods).toContain(method)
  })
})

test('a response shows its headers to a permitted page, and is cached by origin', async () => {
  const { status, headers } = await asked([APP], 'GET', { Origin: APP })
  expect(status).toBe(404) // refusals too: a page must be able to read them
  expect(headers.get('access-control-allow-origin')).toBe(APP)
  expect(headers.get('access-control-allow-credentials')).toBe('true')
  expect(headers.get('access-control-expose-headers')).toContain('X-Service-Version')
  expect(headers.get('vary')).toBe('Origin')
  expect((await asked([APP], 'GET', {})).headers.get('vary')).toBe('Origin')
  expect((await asked([], 'GET', { Origin: APP })).headers.get('vary')).toBeNull()
})

test.each([
  ['https://app.example.org', [APP]],
  ['https://App.example.org/, http://localhost:3000', [APP, 'http://localhost:3000']],
  ['', []],
])('--cors-origin %s', (text, origins) => {
  expect(configure({}, { TRIALBOX_CORS_ORIGIN: text }).corsOrigins).toEqual(origins)
})

test.each([
  ['*', 'must be web addresses'],
  ['app.example.org', 'must be web addresses'],
  ['https://app.example.org/path', 'must be web addresses'],
  ['ftp://app.example.org', 'must be web addresses'],
  ['http://app.example.org', 'must begin with https'],
])('--cors-origin %s is refused', (origin, problem) => {
  expect(() => configure({ 'cors-origin': origin }, {})).toThrow(problem)
})

proof(
  'a test server answers the pages of any origin, and takes no --cors-origin',
  async () => {
    expect(configure({ test: true }, { TRIALBOX_CORS_ORIGIN: 'nonsense' }).corsOrigins).toBe('any')
    expect(() => configure({ test: true, 'cors-origin': APP }, {})).toThrow('--cors-origin cannot be given with --test')
    const server = await startServer(fromSource, ['--test', '--port', '0'], testServerLine)
    for (const path of ['/health', '/openapi.json', '/teams', '/storage/files/none', '/docs']) {
      const { headers } = await fetch(server.found.url + path, { headers: { Origin: 'http://localhost:3000' } })
      expect({ path, origin: headers.get('access-control-allow-origin') }).toEqual({
        path,
        origin: 'http://localhost:3000',
      })
    }
    await server.stop()
  },
  180_000,
)
