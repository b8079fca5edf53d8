/** WebKit, the browser of iPhones and iPads, by plain WebDriver requests: what Chromium has and Safari has not shows here. */
import { readdirSync } from 'node:fs'
import axe from 'axe-core'
import { freshFolder } from '../server/process/folder'

/** Debian keeps the browser in a folder of the machine's architecture. */
function miniBrowser(): string | undefined {
  try {
    const folders = readdirSync('/usr/lib').map((each) => `/usr/lib/${each}/webkit2gtk-4.1/MiniBrowser`)
    return folders.find((path) => Bun.which(path) !== null)
  } catch {
    return undefined
  }
}

const binary = miniBrowser()

/** Whether there is a WebKit to test with. CI must have one; elsewhere its tests are skipped without one. */
export const hasWebKit = binary !== undefined && ['WebKitWebDriver', 'Xvfb'].every((each) => Bun.which(each) !== null)

if (!hasWebKit && process.env.CI) throw new Error('There is no WebKit, and in CI the app must be tested in it.')
if (!hasWebKit)
  console.warn('The app is not tested in WebKit: it is missing (on Debian: apt-get install webkit2gtk-driver xvfb).')

/** Milliseconds that something may take to appear. */
const PATIENCE = 100_000
const SOON = 50

/** Asks until there is an answer. */
async function until<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  let last = ''
  for (const end = Date.now() + PATIENCE; Date.now() < end; await Bun.sleep(SOON)) {
    const answer = await ask().catch(({ message }) => {
      last = ` ${message}`
    })
    if (answer !== undefined && answer !== false) return answer as T
  }
  throw new Error(`Waited in vain for ${what}.${last}`)
}

/** A port that is free now. */
function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port = 0 } = server
  server.stop(true)
  return port
}

/** A screen that nobody sees. It chooses a number that is free, and says it when it is ready. */
async function screen() {
  const process = Bun.spawn(['Xvfb', '-displayfd', '1', '-screen', '0', '800x1000x24', '-nolisten', 'tcp'], {
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const { value } = await process.stdout.getReader().read()
  return { process, display: `:${new TextDecoder().decode(value).trim()}` }
}

export type WebKit = Awaited<ReturnType<typeof openWebKit>>

async function openWebKit() {
  const { process: shown, display } = await screen()
  const home = freshFolder()
  const port = freePort()
  const driver = Bun.spawn(['WebKitWebDriver', `--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_CONFIG_HOME: home,
      // Its own sandbox needs rights that containers do not have.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      LC_ALL: 'C',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const content = body ? JSON.stringify(body) : null
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: content })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  await until('the driver', async () => (await send('GET', '/status')) !== undefined)
  const args = ['--automation']
  // The certificate of a test's server is one that no device trusts.
  const capabilities = { alwaysMatch: { acceptInsecureCerts: true, 'webkitgtk:browserOptions': { binary, args } } }
  const { sessionId } = (await send('POST', '/session', { capabilities })) as { sessionId: string }
  const path = `/session/${sessionId}`

  /** Runs a function body in the page. */
  const run = <T>(script: string, ...given: unknown[]): Promise<T> =>
    send('POST', `${path}/execute/sync`, { script, args: given }) as Promise<T>
  /** Waits for something on the page; if it does not come, the error tells what the page says. */
  const wait = <T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> =>
    until(what, ask).catch(async ({ message }) => {
      throw new Error(`${message} ${await run('return location.pathname + ": " + document.body.innerText')}`)
    })
  const find = (selector: string): Promise<string> =>
    wait(selector, async () => {
      const found = (await send('POST', `${path}/elements`, { using: 'css selector', value: selector })) as object[]
      return found.flatMap((each) => Object.values(each) as string[])[0]
    })
  return {
    run,
    until: (what: string, script: string) => wait(what, () => run<boolean>(`return !!(${script})`)),
    goTo: (url: string) => send('POST', `${path}/url`, { url }),
    /** Opens a page, and waits until it shows this element. */
    async open(url: string, selector: string): Promise<void> {
      await send('POST', `${path}/url`, { url })
      await find(selector)
    },
    /** Waits until the element can be tapped, and taps it. */
    click: (selector: string) =>
      wait(`${selector} to be tapped`, async () => {
        await send('POST', `${path}/element/${await find(selector)}/click`, {})
        return true
      }),
    /** Waits for a field, and types into it. */
    type: async (selector: string, text: string) =>
      send('POST', `${path}/element/${await find(selector)}/value`, { text }),
    /** Waits for a field, and chooses a value, as with the picker of a phone. */
    choose: async (selector: string, value: string) => {
      await find(selector)
      const script = `const [selector, value] = arguments
        const field = document.querySelector(selector)
        field.value = value
        field.dispatchEvent(new Event('input', { bubbles: true }))`
      await run(script, selector, value)
    },
    /** What the window shows, as PNG in base64. */
    picture: () => send('GET', `${path}/screenshot`) as Promise<string>,
    /** What is wrong with the page by axe. */
    async violations(): Promise<string[]> {
      await run(axe.source)
      return run(
        'return axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))',
      )
    },
    /** Waits for a text on the page. */
    see: (text: string) =>
      wait(`“${text}”`, () => run<boolean>('return document.body.innerText.includes(arguments[0])', text)),
    async close(): Promise<void> {
      await send('DELETE', path).catch(() => undefined)
      for (const each of [driver, shown]) {
        each.kill()
        await each.exited
      }
    },
  }
}

/** Runs this in a browser of its own. */
export async function inWebKit<T>(act: (browser: WebKit) => Promise<T>): Promise<T> {
  const browser = await openWebKit()
  try {
    return await act(browser)
  } finally {
    await browser.close()
  }
}
