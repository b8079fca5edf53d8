import { expect, test } from 'bun:test'
import { workbookBomb } from './exchange/bombs'
import { workbook } from './exchange/imports/files'
import { ask, builtProgram, startServer, testServerLine } from './program'

test('the executable reads files that people send in processes of its own, with limits', async () => {
  const server = await startServer(builtProgram(), ['--test', '--port', '0'], testServerLine)
  const { url, apiKey: key, team } = server.found
  const { _id: trial } = (await ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name: 'Trial' } }))
    .body
  const imported = (bytes: Uint8Array) => {
    const importData = { source: 'xlsform', content: Buffer.from(bytes).toString('base64') }
    const path = `${url}/trials/${trial}/stages?creationType=importFromExternalTool`
    return ask(path, { method: 'POST', key, body: { importData } })
  }
  const form = workbook({
    survey: [
      ['type', 'name', 'label'],
      ['text', 'a', 'A'],
    ],
  })
  expect((await imported(form)).status).toBe(200)
  const { status, body } = await imported(workbookBomb(40_000, 90))
  expect({ status, limit: body.details.limit }).toEqual({ status: 400, limit: { megabytes: 768 } })
  expect((await imported(form)).status).toBe(200)
  await server.stop()
}, 180_000)
