/** One Chromium for all tests of pages in a process, and visits to pages that note what is wrong with them. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from 'playwright-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser for tests of pages. CI must have one; elsewhere these tests are skipped without one. */
export const chromium = PATHS.find((path) => existsSync(path))

if (!chromium && process.env.CI) throw new Error('There is no Chromium, and in CI the pages must be tested.')
if (!chromium) console.warn('Pages are not tested: there is no Chromium (on Debian: apt-get install chromium).')

let browser: Promise<Browser> | undefined

/** A camera, a microphone and a screen that are not there: a picture that moves, and a tone. */
const FAKE_DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** It ends with the process: a start takes longer than most tests. */
const started = () =>
  (browser ??= driver.launch({
    executablePath: chromium!,
    args: ['--no-sandbox', '--disable-gpu', ...FAKE_DEVICES],
  }))

/** Without Background Sync: what the worker sends would pass by the routes of a page, and by its being offline. */
const withoutSync = () => Reflect.deleteProperty(globalThis.ServiceWorkerRegistration?.prototype ?? {}, 'sync')

/** Runs this in a page of its own, with cookies of its own. @param hasSync whether the worker may send while no page is open */
export async function inBrowser<T>(
  act: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
  hasSync = false,
): Promise<T> {
  const context = await (await started()).newContext(options)
  if (!hasSync) await context.addInitScript(withoutSync)
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  try {
    return await act(page)
  } finally {
    await context.close()
  }
}

/** Notes errors of scripts and of the content security policy, and requests to other servers. @param base of the server */
export function faultsOf(page: Page, base: string): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // The browser reports expected refusals as errors, too.
    const isExpected = message.text().includes('the server responded with')
    if (['error', 'warning'].includes(message.type()) && !isExpected) faults.push(message.text())
  })
  page.on('request', (request) => {
    // A page may show what it holds itself.
    const url = request.url().replace(/^blob:/, '')
    if (!url.startsWith(base) && !url.startsWith('data:')) faults.push(`asks ${request.url()}`)
  })
  return faults
}

/** What is wrong with the page by these rules of axe, by all if none is given: the rules, each with the first elements that break it. */
export async function violations(page: Page, rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const results = await page.evaluate((runOnly) => window.axe.run(runOnly.length ? { runOnly } : {}), rules)
  return results.violations.map(
    ({ id, nodes }) =>
      `${id} ${nodes.length}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' | ')}`,
  )
}
