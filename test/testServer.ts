/** The service of `serve --test`, without a socket. */
import { afterEach } from 'bun:test'
import { parseInstant } from '#kernel/time'
import type { ServiceOptions } from '#server/serviceOptions'
import { openTestService } from '#server/testService'
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
  const service = await openTestService({
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
  const call = async (method: string, path: string, body?: unknown, key: string = owner.apiKey) => {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': `${content?.length ?? 0}`,
    }
    const response = await service.handle(
      new Request(`http://localhost${path}`, { method, headers, body: content }),
      '::1',
    )
    return { status: response.status, body: await response.json() }
  }
  return {
    directory,
    service,
    owner,
    call,
    /** Of the current service: it is another one after a reset. */
    get db() {
      return service.services.db
    },
    get sqlite() {
      return service.services.db.$client
    },
  }
}
