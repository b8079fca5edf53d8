/** Uploads: each is streamed to a temporary file, its size is checked, and only then does it get its name. */
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newSecret } from '#kernel/id'
import { isDiskFull } from '#kernel/machine'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { uploadPath } from './names'
import { alreadyUploaded, exists, freeChunk, nameFile, nextBytes, requireType, writeWhole } from './uploadChunks'

/** The largest file and the largest video, in bytes (docs/contract.md, "Files"). */
export const FILE_LIMIT = 30 * 1024 ** 2
export const VIDEO_LIMIT = 5 * 1024 ** 3
/** The largest file that a provider of wearables exported: of years, with every heart beat. */
export const HARDWARE_LIMIT = 1024 ** 3

/** The declared size in bytes and media type of an upload. */
export type DeclaredUpload = { size: number; type: string }
/** Where an upload is stored; `progress` is called for every chunk that arrives. */
type UploadTarget = { directory: string; storedName: string; progress?: () => void }
export type ReceivedUpload = { size: number; sha256: string }

// The temporary files of running uploads. `removeUnfinishedUploads` must not remove them, even if a test has moved the clock.
const running = new Set<string>()

/**
 * Stores the body of an upload. Returns its size and SHA-256 (hexadecimal) when content and name are on disk.
 * Memory use does not depend on the size; the chunks of `request.body` cannot be used afterwards. 400 if type or size are not
 * as declared, if the bytes stop early, or if the name is taken: nothing is stored then. 507 if the disk is full.
 * See docs/contract.md, "Files".
 */
export async function receiveUpload(
  request: Request,
  { directory, storedName, size, type, progress }: DeclaredUpload & UploadTarget,
): Promise<ReceivedUpload> {
  const path = uploadPath(directory, storedName)
  requireType(request, type)
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) !== size) throw wrongSize(size)
  if (await exists(path)) throw alreadyUploaded()

  const temporary = join(directory, 'tmp', newSecret())
  running.add(temporary)
  try {
    await mkdir(dirname(temporary), { recursive: true })
    const sha256 = await write(request.body, temporary, size, progress)
    await nameFile(temporary, path, directory)
    return { size, sha256 }
  } catch (error) {
    throw isDiskFull(error) ? refuse.diskFull() : error
  } finally {
    await rm(temporary, { force: true })
    running.delete(temporary)
  }
}

/** Removes temporary files that a crash left and that were last written before `olderThan`. Returns how many. */
export async function removeUnfinishedUploads(directory: string, olderThan: Instant): Promise<number> {
  const folder = join(directory, 'tmp')
  let removed = 0
  for (const name of (await exists(folder)) ? await readdir(folder) : []) {
    const path = join(folder, name)
    if (running.has(path) || (await stat(path)).mtimeMs * 1000 >= olderThan) continue
    await rm(path, { force: true })
    removed++
  }
  return removed
}

/** Writes exactly `size` bytes to a new file and flushes it. Returns their SHA-256. */
async function write(body: ReadableStream<Uint8Array> | null, path: string, size: number, progress?: () => void) {
  const hash = new Bun.CryptoHasher('sha256')
  const reader = body?.getReader()
  const file = await open(path, 'wx', 0o600)
  let received = 0
  try {
    for (let chunk = await nextBytes(reader); chunk; chunk = await nextBytes(reader)) {
      progress?.()
      received += chunk.byteLength
      if (received > size) throw wrongSize(size)
      hash.update(chunk)
      await writeWhole(file, chunk)
      freeChunk(chunk)
    }
    if (received < size) throw wrongSize(size)
    await file.sync()
    return hash.digest('hex')
  } finally {
    // Stops a client that sends too much; the result of the cancellation does not matter.
    reader?.cancel().catch(() => {})
    await file.close()
  }
}

const wrongSize = (size: number) => refuse.bad('otherFileSize', { size })
