/** One Chromium for all tests of pages in a process, and visits to pages that note what is wrong with them. */
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from 'playwright-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Chromium without its windows, which are most of the work of a page that nobody sees. */
const SHELLS = ['/usr/bin/chromium-headless-shell']
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const found = (paths: readonly string[]) => paths.find((path) => existsSync(path))

/** A browser with all of its parts: the shell allows no notifications, and reports what axe asks of frames as a fault. */
export const wholeChromium = found(WHOLE)

/** The browser for tests of pages. CI must have one; elsewhere these tests are skipped without one. */
export const chromium = found(SHELLS) ?? wholeChromium

if (!wholeChromium && process.env.CI) throw new Error('There is no Chromium, and in CI the pages must be tested.')
if (!wholeChromium)
  console.warn('Not all pages are tested: there is no Chromium (on Debian: apt-get install chromium).')
if (!found(SHELLS))
  console.warn('Tests of pages take longer: there is no chromium-headless-shell (on Debian: a package of this name).')

const browsers = new Map<string, Promise<Browser>>()

/** A camera, a microphone and a screen that are not there: a picture that moves, and a tone. */
const FAKE_DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/** It ends with the process: a start takes longer than most tests. */
function started(executablePath: string): Promise<Browser> {
  const running = browsers.get(executablePath)
  if (running) return running
  const browser = driver.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...FAKE_DEVICES] })
  browsers.set(executablePath, browser)
  return browser
}

/** Without Background Sync: what the worker sends would pass by the routes of a page, and by its being offline. */
const withoutSync = () => Reflect.deleteProperty(globalThis.ServiceWorkerRegistration?.prototype ?? {}, 'sync')

export type BrowserOptions = BrowserContextOptions & {
  /** Whether the worker may send while no page is open. */
  hasSync?: boolean
  /** The browser, if it must be another one. */
  executablePath?: string | undefined
}

/** Runs this in a page of its own, with cookies of its own. */
export async function inBrowser<T>(
  act: (page: Page) => Promise<T>,
  { hasSync = false, executablePath = chromium!, ...options }: BrowserOptions = {},
): Promise<T> {
  const context = await (await started(executablePath)).newContext(options)
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
  const results = await page.evaluate(
    // Without descriptions of what is right, which take as long as the search.
    (runOnly) => window.axe.run({ resultTypes: ['violations'], ...(runOnly.length ? { runOnly } : {}) }),
    rules,
  )
  return results.violations.map(
    ({ id, nodes }) =>
      `${id} ${nodes.length}: ${nodes
        .slice(0, 3)
        .map(({ html }) => html.slice(0, 160))
        .join(' | ')}`,
  )
}
