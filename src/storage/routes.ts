/** `/storage/*`: what signed links lead to. Outside the API, since files are never parsed, only streamed. */
import { rm } from 'node:fs/promises'
import { found, Problem } from '#kernel/problem'
import type { Clock } from '#kernel/time'
import { type Sendable, send } from './get'
import { pathOf } from './names'
import { type Expected, type Received, receive, VIDEO_LIMIT } from './put'
import type { Signer } from './sign'

/** What `Bun.serve` must allow for the routes to work. */
export const serving = { maxRequestBodySize: VIDEO_LIMIT + 1 }

// The longest pause Bun can watch for: a slow line may stutter, a dead one must not hold a file open for ever. Bun counts
// what it sends as a sign of life but not what it receives, so an upload winds its watch up again with every piece.
const PAUSE_SECONDS = 255

type Server = { timeout(request: Request, seconds: number): void }
type Soon<T> = T | Promise<T>

/** What the routes need to know of the rest of the program. */
export type Storage = {
  signer: Signer
  /** Where uploads are kept. */
  directory: string
  clock: Clock
  /** Sent with every answer. */
  headers: Record<string, string>
  /** What was announced for a stored name, finished or not; undefined where nothing was. */
  expected(storedName: string): Soon<Expected | undefined>
  /** Records a finished upload. The answer waits for it; when it fails, the file goes. */
  finished(storedName: string, received: Received): Soon<unknown>
  /** Where a file of that kind lies and what is known of it; undefined where there is none. */
  file(kind: string, name: string): Soon<Omit<Sendable, 'headers' | 'disposition'> | undefined>
}

/**
 * Answers PUT with `{fileName}` and GET and HEAD with the file. Refusals are JSON: 403 for a link that does not hold,
 * 404 for what is not there, 400 for an upload that is not what was declared. Other faults are thrown on.
 */
export function storageRoutes(storage: Storage): (request: Request, server: Server) => Promise<Response> {
  return async (request, server) => {
    try {
      const claims = storage.signer.verify(request.method, request.url, storage.clock.now())
      const stillAlive = () => server.timeout(request, PAUSE_SECONDS)
      stillAlive()
      if (claims.method === 'PUT') return await upload(storage, request, claims.name, stillAlive)
      const file = found(await storage.file(claims.kind, claims.name), 'file')
      const { fileName = file.name, type = file.type, disposition } = claims
      return await send(request, { ...file, name: fileName, type, disposition, headers: storage.headers })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const headers = { ...error.headers, ...storage.headers }
      return Response.json(error.body, { status: error.status, headers })
    }
  }
}

async function upload(storage: Storage, request: Request, storedName: string, progress: () => void) {
  const { directory, headers } = storage
  const expected = found(await storage.expected(storedName), 'upload')
  const received = await receive(request, { ...expected, directory, storedName, progress })
  try {
    await storage.finished(storedName, received)
  } catch (error) {
    await rm(pathOf(directory, storedName), { force: true })
    throw error
  }
  return Response.json({ fileName: storedName }, { headers })
}
