/**
 * Takes pictures of the pages in their states, to be looked at, into `screenshots/`, which is not committed:
 * `bun scripts/screenshots.ts [--out <folder>] [--only <part of a name>] [--look phone,small]`.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Secret, TOTP } from 'otpauth'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { appStates, makeStudy } from './screenshotsOfApp'
import { consoleStates } from './screenshotsOfConsole'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { out: text, only: text, look: text } })
const folder = resolve(values.out ?? join(import.meta.dir, '../screenshots'))
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

type Server = Record<'url' | 'apiKey' | 'team' | 'email' | 'password', string>

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const tablet = { viewport: { width: 768, height: 1024 } }
const desktop = { viewport: { width: 1280, height: 800 } }

/** Each look: the size, the colours and the language; `zoom` is the size of texts in percent. */
const looks: Record<string, BrowserContextOptions & { zoom?: number }> = {
  phone: { ...phone, locale: 'en-GB' },
  'phone-dark': { ...phone, locale: 'de-DE', colorScheme: 'dark' },
  'phone-arabic': { ...phone, locale: 'ar' },
  'phone-200': { ...phone, locale: 'fr-FR', zoom: 200 },
  small: { ...phone, viewport: { width: 320, height: 640 }, locale: 'de-DE' },
  tablet: { ...tablet, locale: 'es-ES' },
  'tablet-200': { ...tablet, locale: 'en-GB', zoom: 200 },
  desktop: { ...desktop, locale: 'en-GB' },
  'desktop-dark-arabic': { ...desktop, locale: 'ar', colorScheme: 'dark' },
}

type State = (page: Page, server: Server) => Promise<unknown>
let study: ReturnType<typeof makeStudy> | undefined

/** Opens a page of the account, and signs in there. */
const signInAt =
  (path: string, ready: string): State =>
  async (page, { url, email, password }) => {
    await page.goto(`${url}${path}`)
    await page.locator('[name=email]').fill(email)
    await page.locator('[name=password]').fill(password)
    await page.locator('form .main').click()
    await page.locator(ready).first().waitFor()
  }
const makeKey: State = async (page, server) => {
  await signInAt('/account/keys', '[name=name]')(page, server)
  await page.locator('[name=name]').fill('Nightly export to the registry')
  await page.locator('form .main').click()
  await page.locator('#key').waitFor()
}
/** Another team with an owner, whose account a state changes for good. */
async function otherWorld({ url }: Server): Promise<Server> {
  const headers = { 'Content-Type': 'application/json' }
  const world = await fetch(`${url}/test/worlds`, { method: 'POST', headers, body: '{}' })
  return { url, ...((await world.json()) as Omit<Server, 'url'>) }
}
const beginTwoStep: State = async (page, server) => {
  await signInAt('/account/two-step', '.card .main')(page, server)
  await page.locator('.card .main').click()
  await page.locator('.qr').waitFor()
}
/** Switches two-step sign-in on. */
const enableTwoStep: State = async (page, server) => {
  const other = await otherWorld(server)
  await beginTwoStep(page, other)
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
  await page.locator('[name=code]').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await page.locator('[name=password]').fill(other.password)
  await page.locator('form .main').click()
  await page.locator('.codes').waitFor()
}

/** A link of an invitation, as the message contains it. */
async function invitation({ url, apiKey, team }: Server): Promise<string> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email: `anna${crypto.randomUUID()}@example.org`, name: 'Anna Köhler' })
  await fetch(`${url}/teams/${team}/users`, { method: 'POST', headers, body })
  const sent = await (await fetch(`${url}/test/outbox`)).text()
  const token = [...sent.matchAll(/\/app\/setup\/([\w-]+)/g)].at(-1)?.[1]
  if (!token) throw new Error(`No invitation was sent: ${sent.slice(0, 300)}`)
  return `${url}/app/setup/${token}`
}

const states: Record<string, State> = {
  landing: async (page, { url }) => {
    await page.goto(url)
    await page.locator('[data-state]').waitFor()
  },
  'sign-in': async (page, { url }) => {
    await page.goto(`${url}/account`)
    await page.locator('form').waitFor()
  },
  'sign-in-refused': async (page, { url }) => {
    await page.goto(`${url}/account`)
    await page.locator('[name=email]').fill('nobody@example.org')
    await page.locator('[name=password]').fill('wrong horse battery')
    await page.locator('form .main').click()
    await page.locator('.notice').waitFor()
  },
  account: signInAt('/account', '.tile-state'),
  'account-profile': signInAt('/account/profile', '[name=language]'),
  'account-password': async (page, server) => {
    await signInAt('/account/password', '[name=currentPassword]')(page, server)
    await page.locator('[name=currentPassword]').fill('not the one')
    for (const name of ['password', 'again']) await page.locator(`[name=${name}]`).fill('quiet meadow 48')
    await page.locator('form .main').click()
    await page.locator('.fault').waitFor()
  },
  'account-two-step': signInAt('/account/two-step', '.card .main'),
  'account-two-step-begun': beginTwoStep,
  'account-codes': enableTwoStep,
  'account-two-step-off': async (page, server) => {
    await enableTwoStep(page, server)
    await page.locator('.button.main').click()
    await page.locator('.card .button').nth(1).click()
    await page.locator('.button.danger').waitFor()
  },
  'account-sessions': async (page, server) => {
    const other = await otherWorld(server)
    const { url, email, password } = other
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Mozilla/5.0 (iPhone) Version/18.5 Safari/604.1',
    }
    await fetch(`${url}/sessions`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })
    await signInAt('/account/sessions', '.list li')(page, other)
  },
  'account-empty': async (page, server) => {
    await page.route('**/users/me/api-keys', (route) => route.fulfill({ json: { apiKeys: [], trials: [] } }))
    await signInAt('/account/keys', '.empty')(page, server)
  },
  'account-key': makeKey,
  'account-dialog': async (page, server) => {
    await makeKey(page, server)
    await page.locator('.list .button').first().click()
    await page.locator('dialog[open]').waitFor()
  },
  'forgotten-without-mail': async (page, { url }) => {
    await page.goto(`${url}/account/forgotten`)
    await page.locator('.secret').waitFor()
  },
  forgotten: async (page, { url }) => {
    await page.route('**/password-resets', (route) => route.fulfill({ json: { sendsEmail: true } }))
    await page.goto(`${url}/account/forgotten`)
    await page.locator('form').waitFor()
  },
  'forgotten-sent': async (page, { url }) => {
    await page.route('**/password-resets', (route) => route.fulfill({ json: { sendsEmail: true } }))
    await page.goto(`${url}/account/forgotten`)
    await page.locator('[name=email]').fill('anna@example.org')
    await page.locator('form .main').click()
    await page.locator('.empty').waitFor()
  },
  setup: async (page, server) => {
    await page.goto(await invitation(server))
    await page.locator('form').waitFor()
  },
  'setup-faulty': async (page, server) => {
    await page.goto(await invitation(server))
    await page.locator('[name=password]').fill('correct horse battery')
    await page.locator('[name=again]').fill('correct horse')
    await page.locator('form .main').click()
    await page.locator('.fault').waitFor()
  },
  'setup-reset': async (page, server) => {
    const { url } = server
    await fetch(`${url}/password-resets`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: server.email }),
    })
    const sent = await (await fetch(`${url}/test/outbox`)).text()
    const token = [...sent.matchAll(/\/app\/setup\/([\w-]+)/g)].at(-1)?.[1]
    await page.goto(`${url}/app/setup/${token}`)
    await page.locator('form').waitFor()
  },
  'setup-ended': async (page, { url }) => {
    await page.goto(`${url}/setup/none`)
    await page.locator('.notice').waitFor()
  },
  components: async (page, { url }) => {
    await page.goto(`${url}/ui`)
    await page.locator('#part-toast .button').first().click()
    await page.locator('.toast').waitFor()
  },
  manual: (page, { url }) => page.goto(`${url}/manual/backup`),
  'manual-search': (page, { url }) => page.goto(`${url}/manual?q=restore`),
  ...Object.fromEntries(
    Object.entries({ ...appStates, ...consoleStates }).map(([name, show]): [string, State] => [
      name,
      // Made for the first of them: whoever looks at other pages need not wait.
      async (page, server) => show(page, { ...server, ...(await (study ??= makeStudy(server))) }),
    ]),
  ),
  'manual-missing': (page, { url }) => page.goto(`${url}/manual/nothing`),
}

/** Ends the server with this program: it stops when the pipe to it closes. */
async function startServer(): Promise<Server> {
  const main = join(import.meta.dir, '../src/start/main.ts')
  const command = [process.execPath, main, 'serve', '--test', '--port', '0', '--no-limits']
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  let line = ''
  for await (const piece of child.stdout) if ((line += new TextDecoder().decode(piece)).includes('\n')) break
  return JSON.parse(line) as Server
}

async function takePicture(browser: Browser, server: Server, look: string, state: string): Promise<void> {
  const { zoom, ...options } = looks[look] ?? {}
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const session = await context.newCDPSession(page)
  /** As a browser does it whose standard size of texts is set to twice the usual one. */
  const enlarge = (percent: number) =>
    session.send('Page.setFontSizes', { fontSizes: { standard: (16 * percent) / 100 } })
  if (zoom) {
    await session.send('Page.enable')
    await enlarge(zoom)
  }
  await states[state]?.(page, server)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (wide > 0) console.log(`${state} ${look}: ${wide} px too wide`)
  if (zoom && !state.includes('dialog')) {
    // A picture of a whole page sets the size of texts back.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width: options.viewport?.width ?? phone.viewport.width, height })
    await enlarge(zoom)
  }
  await page.screenshot({
    path: join(folder, `${state}-${look}.png`),
    fullPage: !zoom && !/dialog|^manual$/.test(state),
  })
  await context.close()
}

mkdirSync(folder, { recursive: true })
const server = await startServer()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
for (const state of Object.keys(states))
  for (const look of values.look?.split(',') ?? Object.keys(looks)) {
    if (`${state}-${look}`.includes(values.only ?? '')) await takePicture(browser, server, look, state)
  }
await browser.close()
console.log(folder)
process.exit(0)
