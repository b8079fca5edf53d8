import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Browser, chromium as driver } from 'playwright-core'
import { listen } from '../../src/server'
import { world } from '../harness'
import { chromium } from './browser'

/** A real server with a browser in front of it; `faults` is whatever a page did wrong. */
async function visited(path: string, answers: Record<string, { status?: number; body: unknown }> = {}) {
  const { service } = world()
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${server.port}`
  const page = await browser.newPage()
  const faults: string[] = []
  const asked: { what: string; body: unknown; csrf: string | undefined }[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // A refusal is an error on the console too; that of an answer made up for the test is meant.
    if (message.type() === 'error' && !message.text().includes('the server responded with')) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`)
  })
  for (const [what, { status = 200, body }] of Object.entries(answers)) {
    const [method, url] = what.split(' ')
    await page.route(`${base}${url}`, (route, request) => {
      const isPage = request.resourceType() === 'document'
      if (isPage || request.method() !== method) return route.fallback()
      asked.push({ what, body: request.postDataJSON(), csrf: request.headers()['x-csrf-token'] })
      return route.fulfill({ status, json: body })
    })
  }
  await page.goto(base + path)
  return {
    page,
    faults,
    asked,
    async close() {
      await page.close()
      await server.stop()
    },
  }
}

let browser: Browser
beforeAll(async () => {
  if (chromium) browser = await driver.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-gpu'] })
}, 30_000)
afterAll(() => browser?.close())

const user = { _id: 'a'.repeat(24), name: 'Olga Owner', email: 'olga@example.org' }
const session = { user, csrfToken: 'token-of-the-session', expiresAt: '2026-03-03T00:00:00.000000Z' }
const key = {
  _id: 'b'.repeat(24),
  name: 'Nightly export',
  prefix: 'tbk_abcd',
  createdAt: '2026-03-02T12:00:00.000000Z',
  expiresAt: null,
  lastUsedAt: null,
}

describe.skipIf(!chromium)('pages in a browser', () => {
  test('the landing page says that the service runs', async () => {
    const { page, faults, close } = await visited('/')
    await page.getByText('The service runs. Version 0.0.0+test').waitFor()
    expect(await page.getByRole('link', { name: /Account/ }).count()).toBeGreaterThan(0)
    await page.setViewportSize({ width: 320, height: 600 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    expect(faults).toEqual([])
    await close()
  }, 20_000)

  test('the API page shows the operations, without anything from elsewhere', async () => {
    const { page, faults, close } = await visited('/docs')
    await page.getByText('/health').first().waitFor()
    await page
      .getByRole('button', { name: /Create a group|post .*groups/i })
      .first()
      .click()
    await page.getByText('Leaves an entry').first().waitFor()
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.getByText('An API key of a member of staff').first().waitFor()
    expect(faults).toEqual([])
    await close()
  }, 20_000)

  test('the set-up page makes the first account', async () => {
    const { page, faults, asked, close } = await visited('/setup/abc', {
      'GET /setup/abc': { body: { email: null, name: null, purpose: 'first', expiresAt: session.expiresAt } },
      'POST /setup/abc': { body: { _id: user._id, name: user.name, email: user.email } },
    })
    await page.getByLabel('Name of your team').fill('Research')
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Your name').fill(user.name)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByLabel('The same password again').fill('correct horse')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText('The two passwords are not the same.').waitFor()
    expect(asked).toHaveLength(1)
    await page.getByLabel('The same password again').fill('correct horse battery')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('link', { name: 'Go to your account' }).waitFor()
    expect(asked[1]).toMatchObject({
      what: 'POST /setup/abc',
      body: { team: 'Research', email: user.email, name: user.name, password: 'correct horse battery' },
    })
    expect(faults).toEqual([])
    await close()
  }, 20_000)

  test('a link that has ended says so, and shows no form', async () => {
    const { page, faults, close } = await visited('/app/setup/abc', {
      'GET /setup/abc': { status: 404, body: { message: 'This link has ended.' } },
    })
    await page.getByText('This link has ended.').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).isVisible()).toBe(false)
    expect(faults).toEqual([])
    await close()
  }, 20_000)

  test('the account page signs in, makes a key and shows it once', async () => {
    const secret = `tbk_${'x'.repeat(43)}`
    const { page, faults, asked, close } = await visited('/account', {
      'GET /sessions': { status: 401, body: { message: 'No session.' } },
      'POST /sessions': { body: session },
      'GET /users/me/api-keys': { body: { apiKeys: [key] } },
      'POST /users/me/api-keys': { body: { ...key, key: secret } },
    })
    await page.getByLabel('E-mail address').fill(user.email)
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Olga Owner (olga@example.org)').waitFor()
    await page.getByText('Nightly export · tbk_abcd…').waitFor()
    await page.getByLabel('What it is for').fill('Import')
    await page.getByRole('button', { name: 'Make key' }).click()
    await page.getByText(secret).waitFor()
    expect(asked.find(({ what }) => what === 'POST /sessions')!.body).toEqual({
      email: user.email,
      password: 'correct horse battery',
    })
    expect(asked.find(({ what }) => what === 'POST /users/me/api-keys')).toMatchObject({
      body: { name: 'Import', expiresAt: null },
      csrf: session.csrfToken,
    })
    expect(faults).toEqual([])
    await close()
  }, 20_000)
})

test.each([
  ['/', 'text/html', undefined],
  ['/account', 'text/html', undefined],
  ['/docs', 'text/html', undefined],
  ['/web/swagger-ui.js', 'text/javascript', undefined],
  ['/web/swagger-ui.css', 'text/css', undefined],
  ['/openapi.json', 'application/json', undefined],
  ['/setup/abc', 'text/html', 'text/html,application/xhtml+xml,*/*;q=0.8'],
  ['/setup/abc', 'application/json', 'application/json'],
  ['/setup/abc', 'application/json', undefined],
])('%s is %s to who accepts %p', async (path, type, accept) => {
  const { service } = world()
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })
  expect(response.headers.get('content-type')).toStartWith(type)
  expect(response.headers.get('x-service-version')).toBe('0.0.0+test')
  expect((await response.text()).length).toBeGreaterThan(20)
  if (type === 'text/html') {
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  }
  const etag = response.headers.get('etag')
  expect(etag === null).toBe(path.startsWith('/setup'))
  if (etag) {
    const again = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
  }
  await server.stop()
})
