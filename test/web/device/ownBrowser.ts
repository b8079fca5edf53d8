/** A browser with a profile that lasts: it can be killed in the middle, and started again. */
import { type BrowserContext, chromium as driver } from 'playwright-core'
import { wholeChromium } from '../browser'

const ADDRESS = /ws:\/\/\S+/

/** Where the browser can be driven, which it says when it is ready. */
async function addressIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let said = ''
  for await (const part of output) {
    said += decoder.decode(part, { stream: true })
    const [address] = ADDRESS.exec(said) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`The browser did not begin: ${said}`)
}

/** Starts a browser with the profile in this folder. */
export async function startBrowser(profile: string): Promise<{ context: BrowserContext; kill(): Promise<void> }> {
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--no-first-run']
  const process = Bun.spawn([wholeChromium ?? '', ...args, `--user-data-dir=${profile}`, 'about:blank'], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const browser = await driver.connectOverCDP(await addressIn(process.stderr))
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser has no profile.')
  return {
    context,
    /** Ends it at once, without a chance to write anything. */
    async kill() {
      process.kill('SIGKILL')
      await process.exited
      await browser.close()
    },
  }
}
