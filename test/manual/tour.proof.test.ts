/** Runs the commands of the manual and the README, and compares the output with the output that they show. */
import { describe, expect, test } from 'bun:test'
import { banner, fromSource, startServer, testServerLine } from '../program'
import { freshFolder } from '../server/process/folder'

const tools = ['bash', 'curl', 'jq'].filter((tool) => !Bun.which(tool))
if (tools.length && process.env.CI) throw new Error(`CI must run the tour, and has no ${tools.join(', ')}.`)

/** Ids, moments and days differ from run to run. */
const steady = (text: string) =>
  text
    .replace(/\b[0-9a-f]{24}\b/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Runs the commands of a page, and returns the real output and the output that the page shows. */
async function followed(path: string, env: Record<string, string>) {
  const blocks = [...(await Bun.file(path).text()).matchAll(/```(sh|text)\n([\s\S]*?)```/g)]
  const first = blocks.findIndex(([, kind]) => kind === 'sh') // the blocks before it start the server
  const texts = (wanted: string) => blocks.slice(first).flatMap(([, kind, text]) => (kind === wanted ? [text!] : []))
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', texts('sh').join('\n')], {
    cwd: freshFolder(),
    env: { PATH: process.env.PATH!, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
  expect([await shell.exited, err]).toEqual([0, ''])
  return { came: steady(out), told: steady(texts('text').join('\n')) }
}

describe.skipIf(tools.length > 0)('the commands', () => {
  test('of the tour give the output that it shows', async () => {
    const server = await startServer(fromSource, ['--data', freshFolder(), '--port', '0'], banner)
    const { came, told } = await followed('docs/tour.md', { SETUP: server.found.setup! })
    await server.stop()
    expect(came).toEqual(told)
  }, 180_000)

  test('of the README give the output that it shows', async () => {
    const server = await startServer(fromSource, ['--test', '--port', '0'], testServerLine)
    const { came, told } = await followed('README.md', { URL: server.found.url, KEY: server.found.apiKey })
    await server.stop()
    expect(came).toEqual(told)
  }, 180_000)
})
