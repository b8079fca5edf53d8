/** `/storage/*`: the targets of signed links. They are outside the API, since files are streamed and never parsed. */
import { rm } from 'node:fs/promises'
import { found, Problem } from '#kernel/problem'
import { type Clock, MINUTE } from '#kernel/time'
import { type FileDownload, sendFile } from './download'
import type { Claims, Signer } from './linkSigner'
import { uploadPath } from './names'
import { type DeclaredUpload, type ReceivedUpload, receiveUpload, VIDEO_LIMIT } from './upload'
import { exists } from './uploadChunks'
import { digestOf, partOf, receivePart } from './uploadParts'

/** Settings of `Bun.serve` that the routes need. */
export const storageServerOptions = { maxRequestBodySize: VIDEO_LIMIT + 1 }

// The longest idle timeout of Bun: a slow connection may pause, but a dead one must not keep a file open for ever. Bun restarts
// the timeout when it sends bytes but not when it receives them, so an upload restarts it with every chunk.
const IDLE_SECONDS = 255

type Server = { timeout(request: Request, seconds: number): void }
type MaybePromise<T> = T | Promise<T>

/** What the routes need from the rest of the program. */
export type StorageRoutes = {
  signer: Signer
  /** The folder of uploads. */
  directory: string
  clock: Clock
  /** Headers of every response. */
  headers: Record<string, string>
  /** The declared size and type of an upload, finished or not; undefined if none was announced under that name. */
  expected(storedName: string): MaybePromise<(DeclaredUpload & { isFinished: boolean }) | undefined>
  /** Keeps room for an upload whose bytes are about to come. @throws a refusal if there is none */
  onStart(storedName: string): MaybePromise<unknown>
  /** Called when bytes of an upload come, again and again while they do. */
  onBytes(storedName: string): void
  /** Records a finished upload. The response waits for it. It throws if the upload is deleted, has expired or is recorded already. */
  onFinish(storedName: string, received: ReceivedUpload): MaybePromise<unknown>
  /** The path and metadata of a file of that kind; undefined if there is none. */
  file(kind: string, name: string): MaybePromise<Omit<FileDownload, 'headers' | 'disposition'> | undefined>
  /** Called when a file, or a part of it, is sent. @param address of the client */
  onSent(claims: Claims, address: string | null): void
}

/**
 * Responds to PUT with `{fileName}`, to GET and HEAD with the file. Refusals are JSON: 403 for a link that is not valid,
 * 404 if the file does not exist, 400 for an upload that is not as declared. A PUT with `Content-Range` takes a part of the file, and
 * responds with 202 and `{received}` until all have arrived. Other errors are thrown.
 */
export function storageRoutes(
  storage: StorageRoutes,
): (request: Request, server: Server, address?: string | null) => Promise<Response> {
  return async (request, server, address = null) => {
    try {
      const claims = storage.signer.verify(request.method, request.url, storage.clock.now())
      const restartTimeout = () => server.timeout(request, IDLE_SECONDS)
      restartTimeout()
      if (claims.method === 'PUT') return await upload(storage, request, claims.name, restartTimeout)
      const file = found(await storage.file(claims.kind, claims.name), 'file')
      const { fileName = file.name, type = file.type, disposition } = claims
      const response = await sendFile(request, { ...file, name: fileName, type, disposition, headers: storage.headers })
      if (request.method === 'GET' && response.status < 300) storage.onSent(claims, address)
      return response
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const headers = { ...error.headers, ...storage.headers }
      return Response.json(error.body, { status: error.status, headers })
    }
  }
}

/** How many requests receive an upload whole, by its name: after they are on the disk and before they are recorded, no other request may record them. */
const running = new Map<string, number>()

/** How often it is noted that bytes of one upload come. Few uploads take as long: one in a piece is noted only if it does. */
const REPORT_INTERVAL = MINUTE

async function upload(storage: StorageRoutes, request: Request, storedName: string, restartTimeout: () => void) {
  const { directory, headers, clock } = storage
  const expected = found(await storage.expected(storedName), 'upload')
  const range = request.headers.get('content-range')
  let nextReportAt = range === null ? clock.now() + REPORT_INTERVAL : 0
  const progress = () => {
    restartTimeout()
    const now = clock.now()
    if (now < nextReportAt) return
    nextReportAt = now + REPORT_INTERVAL
    storage.onBytes(storedName)
  }
  const onStart = () => storage.onStart(storedName)
  if (range !== null) {
    const received = await receivePart(request, partOf(range), {
      ...{ ...expected, directory, storedName, progress, onStart },
      recordedUpload: () => storage.expected(storedName),
      finish: (whole) => storage.onFinish(storedName, whole),
    })
    if (received < expected.size) return Response.json({ received }, { status: 202, headers })
    return Response.json({ fileName: storedName }, { headers })
  }
  const path = uploadPath(directory, storedName)
  // A kill may have come between the place and the record: the next try needs no bytes.
  const isPlaced = !expected.isFinished && (await exists(path)) && !running.has(storedName)
  running.set(storedName, (running.get(storedName) ?? 0) + 1)
  try {
    if (isPlaced) await record(storage, storedName, { size: expected.size, sha256: await digestOf(path) })
    else await receiveWhole(storage, request, { ...expected, directory, storedName, progress })
  } finally {
    const left = (running.get(storedName) ?? 1) - 1
    if (left) running.set(storedName, left)
    else running.delete(storedName)
  }
  return Response.json({ fileName: storedName }, { headers })
}

async function receiveWhole(
  storage: StorageRoutes,
  request: Request,
  place: Parameters<typeof receiveUpload>[1],
): Promise<void> {
  await storage.onStart(place.storedName)
  await record(storage, place.storedName, await receiveUpload(request, place))
}

/**
 * Records the upload whose bytes are in their place. A request that asked how much has arrived may have recorded them before. Only the
 * file of an upload that is deleted is removed: while a record waits, another request may be about to complete it with these bytes.
 */
async function record(storage: StorageRoutes, storedName: string, received: ReceivedUpload): Promise<void> {
  try {
    await storage.onFinish(storedName, received)
  } catch (error) {
    const recorded = await storage.expected(storedName)
    if (recorded?.isFinished) return
    if (!recorded) await rm(uploadPath(storage.directory, storedName), { force: true })
    throw error
  }
}
