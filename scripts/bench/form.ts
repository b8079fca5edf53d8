/**
 * A form of 100 fields on a slow phone: `bun scripts/bench/form.ts [--fields 100] [--slower 4] [--rounds 5]`. Prints the processor time in
 * milliseconds, multiplied by `slower`, that the thread of the page takes from opening it until its questions are drawn and the browser is
 * idle, from the server and from what is kept on the device, and for a keystroke until it is drawn.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { makeStudy } from '../screenshotsOfApp'
import { figure } from './figures'

const { values } = parseArgs({
  options: {
    fields: { type: 'string', default: '100' },
    slower: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
  },
})
const [fields, slower, rounds] = [Number(values.fields), Number(values.slower), Number(values.rounds)]

const main = join(import.meta.dir, '../../src/start/main.ts')
const child = Bun.spawn([process.execPath, main, 'serve', '--test', '--port', '0'], {
  stdout: 'pipe',
  stderr: 'ignore',
})
const { value } = await child.stdout.getReader().read()
const server = JSON.parse(new TextDecoder().decode(value)) as Record<'url' | 'apiKey' | 'team', string>
const study = await makeStudy(server)

/** Fields as studies have them, some with conditions, and a sum of the numbers. */
const settingsAt = (at: number): Record<string, unknown> =>
  [
    { format: 'integer', min: 0, max: 300 },
    { format: 'choice', options: ['Never', 'Sometimes', 'Often', 'Always'].map((label) => ({ label })) },
    { format: 'text', maxLength: 100 },
    { format: 'slider', min: 0, max: 100 },
    { format: 'date' },
    { format: 'choice', multiple: true, options: Array.from({ length: 8 }, (_, n) => ({ label: `Sign ${n}` })) },
    { format: 'rating', min: 1, max: 7 },
  ][at % 7]!
const ids: string[] = []
for (let at = 0; at < fields; at++) {
  const fieldsOfType = { name: `Field ${at}`, code: `f${at}`, ...settingsAt(at) }
  ids.push((await study.call('POST', `/trials/${study.trial}/data-types`, fieldsOfType))._id)
}
const components = ids.map((dataType, at) => ({
  ...{ id: `c${at}`, dataType, title: `Question ${at}: how was it in the last week?`, isRequired: at % 2 === 0 },
  ...(at % 7 === 2 ? { condition: { dataType: ids[at - 1], operator: 'notequal', value: 'Never' } } : {}),
}))
const stage = await study.call('POST', `/trials/${study.trial}/stages`, { name: 'Long', adHoc: true, components })

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', '--disable-gpu'],
})
const opened: Record<'server' | 'device', number[]> = { server: [], device: [] }
const keystrokes: number[] = []

for (let round = 0; round < rounds; round++) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${server.url}/app/`)
  for (const [name, text] of [
    ['trialCode', study.code],
    ['participantId', 'P-1'],
    ['password', 'correct horse'],
  ] as const)
    await page.locator(`[name=${name}]`).fill(text)
  await page.locator('form .main').click()
  await page.locator('.menu-bar').waitFor()
  const session = await context.newCDPSession(page)
  // In the time of the page's own thread: other programs do not change it much.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const used = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    const seconds = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
    // Without what the tool that drives the browser takes.
    return (seconds('TaskDuration') - seconds('DevToolsCommandDuration')) * 1000 * slower
  }
  const open = async (): Promise<number> => {
    await page.goto(`${server.url}/app/stages/${stage._id}`, { waitUntil: 'commit' })
    await page.locator('.question').nth(50).waitFor({ state: 'attached' })
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(() => resolve(undefined)))),
    )
    return used()
  }
  opened.server.push(await open())
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  opened.device.push(await open())
  const field = page.locator(`[id="answer-${ids[0]}"]`)
  await field.focus()
  const before = await used()
  const keys = 20
  for (let key = 0; key < keys; key++)
    await page.evaluate(
      (typed) =>
        new Promise((resolve) => {
          const input = document.activeElement as HTMLInputElement
          input.value = typed % 2 ? '' : '7'
          input.dispatchEvent(new InputEvent('input', { bubbles: true }))
          requestAnimationFrame(() => setTimeout(resolve))
        }),
      key,
    )
  keystrokes.push(((await used()) - before) / keys)
  await context.close()
}
await browser.close()
child.kill()
console.log(`${fields} fields, processor slowed ${slower} times`)
console.log(`opened from the server: ${figure(opened.server, ' ms')}; from the device: ${figure(opened.device, ' ms')}`)
console.log(`a keystroke: ${figure(keystrokes, ' ms')}`)
process.exit(0)
