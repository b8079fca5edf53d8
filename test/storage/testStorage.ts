/** A real server with only the storage routes, a clock that tests move, and records in maps. */
import { readdir, rm } from 'node:fs/promises'
import { MINUTE } from '#kernel/time'
import { type Claims, signer } from '#storage/linkSigner'
import { newStoredName, uploadPath } from '#storage/names'
import { storageRoutes, storageServerOptions } from '#storage/routes'
import type { DeclaredUpload, ReceivedUpload } from '#storage/upload'
import { temporaryFolder } from '../temporary'

export const START = 1_772_357_400_000_000
export const VERSION = '1.4.0+3f2a91c'

export async function createTestStorage() {
  const directory = temporaryFolder()
  const links = signer('a secret of more than sixteen bytes')
  const clock = { at: START, now: () => clock.at }
  const expected = new Map<string, DeclaredUpload>()
  const finished = new Map<string, ReceivedUpload>()
  const hooks = { finished: async (_name: string) => {} }
  const routes = storageRoutes({
    signer: links,
    directory,
    clock,
    headers: { 'X-Service-Version': VERSION },
    expected: (name) => {
      const declared = expected.get(name)
      return declared && { ...declared, isFinished: finished.has(name) }
    },
    onStart: () => undefined,
    onBytes: () => undefined,
    onFinish: async (name, received) => {
      await hooks.finished(name)
      finished.set(name, received)
    },
    onSent: () => {},
    file: (kind, name) => {
      const received = finished.get(name)
      if (kind !== 'files' || !received) return undefined
      const { type } = expected.get(name)!
      return {
        path: uploadPath(directory, name),
        name: 'file.bin',
        type,
        size: received.size,
        etag: received.sha256,
        lastModified: START,
      }
    },
  })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...storageServerOptions,
    fetch: routes,
    error: () => new Response('fault', { status: 500 }),
  })
  const url = (path: string) => new URL(path, server.url).href

  return {
    directory,
    links,
    clock,
    expected,
    finished,
    hooks,
    port: server.port!,
    url,
    /** Announces an upload and returns its stored name and link. */
    announce(size: number, type = 'application/pdf', original = 'report.pdf') {
      const name = newStoredName(original, clock.at)
      expected.set(name, { size, type })
      const path = links.sign({ method: 'PUT', kind: 'files', name }, clock.at + 60 * MINUTE)
      return { name, path, link: url(path) }
    },
    read: (name: string, claims: Partial<Claims> = {}) =>
      url(links.sign({ method: 'GET', kind: 'files', name, ...claims }, clock.at + 60 * MINUTE)),
    /** Every file on the disk, temporary ones too, as paths within the directory. */
    async kept() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
    },
    async close() {
      await server.stop(true)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export type TestStorage = Awaited<ReturnType<typeof createTestStorage>>

export const put = (link: string, body: BodyInit, type = 'application/pdf') =>
  fetch(link, { method: 'PUT', body, headers: { 'Content-Type': type } })
