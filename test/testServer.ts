/** The service of `serve --test`, without a socket. */
import { afterEach } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseInstant } from '#kernel/time'
import type { ServiceOptions } from '#server/serviceOptions'
import { openTestService } from '#server/testService'
import { program } from '#start/program'
import { newDatabase } from './newDatabase'
import { freshFolder } from './server/process/folder'

export const START = parseInstant('2026-03-02T12:00:00Z')!
const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

export type TestServer = Awaited<ReturnType<typeof testServer>>

/** What may differ from a test server without settings. */
export type Settings = Pick<ServiceOptions, 'messages' | 'pushKey'>

/** A test server without a socket, on a machine whose clock is stopped. */
export async function testServer(settings: Settings = {}) {
  const directory = freshFolder()
  writeFileSync(join(directory, 'trialbox.db'), newDatabase())
  const service = await openTestService(program, {
    directory,
    storageKey: 'signs the links of a test',
    machine: { now: () => START },
    hasLimits: true,
    publicUrl: '',
    version: '0.0.0+test',
    ...settings,
  })
  open.push(() => service.close())
  const owner = service.announce('http://localhost')
  async function send(method: string, path: string, body: string | undefined, credentials: Record<string, string>) {
    const headers = {
      ...credentials,
      'Content-Type': 'application/json',
      'Content-Length': `${Buffer.byteLength(body ?? '')}`,
    }
    const request = new Request(`http://localhost${path}`, { method, headers, body })
    const response = await service.handle(request, '::1')
    const cookie = response.headers.get('set-cookie')?.split(';')[0]
    return { status: response.status, body: await response.json(), cookie }
  }
  const call = async (method: string, path: string, body?: unknown, key: string = owner.apiKey) => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const { status, body: answer } = await send(method, path, content, { Authorization: `Bearer ${key}` })
    return { status, body: answer }
  }
  /** As the owner in the web app, who has just confirmed their identity. */
  async function inApp(method: string, path: string, body?: unknown) {
    const { email, password } = owner
    const { body: begun, cookie } = await send('POST', '/sessions', JSON.stringify({ email, password }), {})
    const session = { Cookie: `${cookie}`, 'X-CSRF-Token': begun.csrfToken }
    await send('POST', '/sessions/confirmations', JSON.stringify({ password }), session)
    const { status, body: answer } = await send(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      session,
    )
    return { status, body: answer }
  }
  return {
    directory,
    service,
    owner,
    call,
    inApp,
    /** Of the current service: it is another one after a reset. */
    get db() {
      return service.services.db
    },
    get sqlite() {
      return service.services.db.$client
    },
  }
}
