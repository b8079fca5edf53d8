/** The process is killed while it sends a message: the message arrives at most once. */

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ask, banner, firstKey, fromSource, startServer } from '../program'
import { freshFolder } from '../server/process/folder'
import { until } from '../until'
import { mailServer } from './mailServer'

type Api = { url: string; key: string }

async function done(api: Api, method: string, path: string, body?: unknown) {
  const answer = await ask(api.url + path, { method, key: api.key, body })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

test('after a kill between delivery and confirmation a reminder has the status unknown, and is never sent again', async () => {
  const server = await mailServer()
  server.state.says = 'hold'
  const data = join(freshFolder(), 'data')
  const words = ['--tls', 'off', '--port', '0', '--data', data, '--log', 'text']
  const mail = ['--smtp-url', `smtp://127.0.0.1:${server.port}`, '--mail-from', 'Study <study@example.org>']
  const start = () => startServer(fromSource, [...words, ...mail], banner)
  let process = await start()
  let api = { url: process.found.url, ...(await firstKey(process.found.url, process.found.setup!)) }
  const { _id: trial } = await done(api, 'POST', `/teams/${api.team}/trials`, { name: 'Trial' })
  // Due as soon as its stage is there.
  const reminder = { hour: 0, title: 'Diary', body: 'Please.', sendVia: ['email'] }
  const { _id: anna } = await done(api, 'POST', `/trials/${trial}/participants`, { participantId: 'P-1' })
  await done(api, 'PUT', `/trials/${trial}/participants/${anna}`, { email: 'anna@example.org' })
  await done(api, 'POST', `/trials/${trial}/stages`, { name: 'Diary', reminders: [reminder] })
  await until(() => server.mails.length > 0)
  await process.stop('SIGKILL')

  server.state.says = undefined
  process = await start()
  api = { ...api, url: process.found.url }
  const log = async () => (await done(api, 'GET', `/trials/${trial}/logs/communication`)).messages
  expect(await log()).toMatchObject([{ status: 'unknown', attempts: 1, sentAt: null, channel: 'email' }])
  expect((await log())[0].detail).toContain('The service stopped while this was being sent')
  // Later messages are sent, but the earlier one is not sent again.
  const evening = { ...reminder, title: 'Evening' }
  await done(api, 'POST', `/trials/${trial}/stages`, { name: 'Evening', reminders: [evening] })
  await until(() => server.mails.length > 1)
  await until(async () => (await log())[0].status === 'sent')
  expect(server.mails.map(({ text }) => /^Subject: (.*)/m.exec(text)?.[1]?.trim())).toEqual(['Diary', 'Evening'])
  const [, kept] = await log()
  const handed = await done(api, 'PUT', `/trials/${trial}/logs/communication/${kept._id}`, { status: 'handedOver' })
  expect(handed).toMatchObject({ status: 'handedOver', attempts: 1 })
  const { code, out } = await process.stop()
  expect(code).toBe(0)
  expect(out).toContain('message sent channel="email"')
  expect(out).not.toMatch(/anna|Please/)
}, 180_000)

test('a graceful stop waits for a message that is being sent', async () => {
  const server = await mailServer()
  server.state.says = 'hold'
  const data = join(freshFolder(), 'data')
  const mail = ['--smtp-url', `smtp://127.0.0.1:${server.port}`, '--mail-from', 'study@example.org']
  const process = await startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', data, ...mail], banner)
  const { url, setup } = process.found
  const api = { url, ...(await firstKey(url, setup!)) }
  await done(api, 'POST', `/teams/${api.team}/users`, { email: 'new@example.org', name: 'Nora', permissions: [] })
  await until(() => server.mails.length > 0)
  const stopping = process.stop()
  await Bun.sleep(200)
  server.release()
  expect((await stopping).code).toBe(0)
  const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
  expect(sqlite.query('SELECT status, body FROM outbox').all()).toEqual([{ status: 'sent', body: '' }])
  sqlite.close()
}, 180_000)
