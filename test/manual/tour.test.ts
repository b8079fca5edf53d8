/** The tour of the manual is run, block by block, and shows what the manual says that it shows. */
import { expect, test } from 'bun:test'
import { bannered, fromSource, running } from '../program'
import { freshFolder } from '../server/process/folder'

const tour = await Bun.file('docs/tour.md').text()
const blocks = [...tour.matchAll(/```(sh|text)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({ kind, text: text! }))
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

test.skipIf(tools.length > 0)(
  'the tour runs, and what it shows is what comes',
  async () => {
    const data = freshFolder()
    const server = await running(fromSource, ['--data', data, '--port', '0'], bannered)
    const script = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text)
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', script.join('\n')], {
      cwd: freshFolder(),
      env: { PATH: process.env.PATH!, SETUP: server.found.setup! },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()])
    await server.stop()
    expect([await shell.exited, err]).toEqual([0, ''])
    const shown = blocks.filter(({ kind }) => kind === 'text').map(({ text }) => text)
    expect(steady(out)).toEqual(steady(shown.join('\n')))
  },
  60_000,
)
