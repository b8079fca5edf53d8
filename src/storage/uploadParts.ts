/**
 * Uploads in parts: what has arrived stays when the line breaks, and the next request goes on after it (docs/contract.md, "Files").
 * The bytes are in a temporary file whose name says how many of them are on disk: `<stored name>.<bytes>.part`.
 */
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '#kernel/machine'
import { refuse } from '#kernel/problem'
import { uploadPath } from './names'
import type { DeclaredUpload, ReceivedUpload } from './upload'
import { exists, freeChunk, nameFile, nextBytes, requireType, writeWhole } from './uploadChunks'

/** `from` and `to`: the first and the last byte of a part. Without them, the client only asks how much has arrived. */
export type Part = { bytes: { from: number; to: number } | undefined; total: number }

const RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/

/** Reads `Content-Range`, as RFC 9110 writes it: `bytes 0-499/1234`, or `bytes *\/1234`. @throws 400 */
export function partOf(header: string): Part {
  const [isRange, from, to, total] = RANGE.exec(header) ?? []
  const part = { total: Number(total), bytes: from === undefined ? undefined : { from: Number(from), to: Number(to) } }
  if (!isRange || (part.bytes && (part.bytes.from > part.bytes.to || part.bytes.to >= part.total)))
    throw refuse.bad('notContentRange')
  return part
}

/** The running request of each stored name. The newest request replaces an earlier one, which the client has given up. */
const running = new Map<string, { stop(): void; ended: Promise<unknown> }>()

async function runAlone<T>(name: string, run: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  for (let before = running.get(name); before; before = running.get(name)) {
    before.stop()
    await before.ended
  }
  const controller = new AbortController()
  const done = run(controller.signal).finally(() => running.delete(name))
  running.set(name, { stop: () => controller.abort(), ended: done.catch(() => undefined) })
  return done
}

type MaybePromise<T> = T | Promise<T>

type Upload = DeclaredUpload & {
  directory: string
  storedName: string
  /** Called for every chunk that arrives. */
  progress?: () => void
  /** Called before bytes are taken. */
  onStart?: () => MaybePromise<unknown>
  /** The upload as it is recorded; undefined if it is not announced any more. */
  recordedUpload(): MaybePromise<{ isFinished: boolean } | undefined>
  /** Records that it is. */
  finish(received: ReceivedUpload): unknown
}

/**
 * Takes a part. Returns how many bytes are on disk now; if that is all of them, the upload is complete, once.
 * @throws 400 for another total or type than declared, 409 with `details.received` for a part that begins elsewhere; 507 if the disk
 * is full. What has arrived stays. 404 if the upload is deleted meanwhile, as by an erasure: nothing stays then.
 */
export async function receivePart(request: Request, part: Part, upload: Upload): Promise<number> {
  const { directory, storedName, size, type } = upload
  if (part.total !== size) throw refuse.bad('otherFileSize', { size })
  if (part.bytes) requireType(request, type)
  return runAlone(storedName, async (stopped) => {
    const [taken] = await Promise.allSettled([takePart(request, part, upload, stopped)])
    const recorded = await upload.recordedUpload()
    if (!recorded) {
      // The deletion of the record may have looked for its files before the last bytes had a name.
      await rm(uploadPath(directory, storedName), { force: true })
      await removeParts(directory, storedName)
      throw refuse.missing('upload')
    }
    // A request with the whole file may have been recorded meanwhile.
    if (taken.status === 'rejected' && !recorded.isFinished) throw taken.reason
    return taken.status === 'fulfilled' ? taken.value : size
  })
}

async function takePart(request: Request, { bytes }: Part, upload: Upload, stopped: AbortSignal): Promise<number> {
  const { directory, storedName, size } = upload
  const path = uploadPath(directory, storedName)
  if ((await upload.recordedUpload())?.isFinished) return size
  const folder = join(directory, 'tmp')
  await mkdir(folder, { recursive: true })
  let received = await receivedBytes(folder, storedName)
  // A crash may have come between the name and the record.
  if (!(await exists(path))) {
    if (bytes && bytes.from !== received) throw refuse.conflict('otherPart', { received }, { received })
    if (bytes) await upload.onStart?.()
    if (bytes) received = await append(request, bytes, received, upload, folder, stopped)
    if (received < size) return received
    await nameFile(join(folder, nameOf(storedName, received)), path, directory)
  }
  await upload.finish({ size, sha256: await digestOf(path) })
  await removeParts(directory, storedName)
  return size
}

/** Removes the parts of an upload that is complete, or not wanted any more. */
export async function removeParts(directory: string, storedName: string): Promise<void> {
  const folder = join(directory, 'tmp')
  for (const name of await partsOf(folder, storedName)) await rm(join(folder, name), { force: true })
}

const nameOf = (storedName: string, received: number): string => `${storedName}.${received}.part`

const countIn = (name: string): number => Number(/\.(\d+)\.part$/.exec(name)?.[1] ?? -1)

async function partsOf(folder: string, storedName: string): Promise<string[]> {
  if (!(await exists(folder))) return []
  return (await readdir(folder)).filter((name) => name.startsWith(`${storedName}.`) && countIn(name) >= 0)
}

/** How many bytes of the upload are on disk. */
const receivedBytes = async (folder: string, storedName: string): Promise<number> =>
  Math.max(0, ...(await partsOf(folder, storedName)).map(countIn))

/** Adds the bytes of a part, as many as arrive, and flushes them. Returns how many there are now. */
async function append(
  request: Request,
  { to }: { to: number },
  before: number,
  { storedName, progress }: Upload,
  folder: string,
  stopped: AbortSignal,
): Promise<number> {
  const path = join(folder, nameOf(storedName, before))
  const file = await open(path, before === 0 ? 'w+' : 'r+', 0o600)
  let received = before
  try {
    // What a crash left behind the bytes that count.
    await file.truncate(before)
    const reader = request.body?.getReader()
    const stop = () => void reader?.cancel().catch(() => undefined)
    stopped.addEventListener('abort', stop)
    if (stopped.aborted) stop()
    try {
      received = await copy(reader, file, before, to + 1, progress)
    } finally {
      stopped.removeEventListener('abort', stop)
      stop()
    }
  } catch (error) {
    throw isDiskFull(error) ? refuse.diskFull() : error
  } finally {
    await file.close()
  }
  if (received > before) await rename(path, join(folder, nameOf(storedName, received)))
  return received
}

/** Writes bytes up to the end of the part, and flushes them. A line that breaks ends the part early. */
async function copy(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  file: FileHandle,
  from: number,
  end: number,
  progress?: () => void,
): Promise<number> {
  const next = () => nextBytes(reader).catch(() => undefined)
  let at = from
  for (let chunk = await next(); chunk; chunk = await next()) {
    progress?.()
    if (at + chunk.byteLength > end) throw refuse.bad('partTooLong')
    await writeWhole(file, chunk, at)
    at += chunk.byteLength
    freeChunk(chunk)
  }
  await file.sync()
  return at
}

/** SHA-256 (hexadecimal) of a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}
