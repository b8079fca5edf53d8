import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { randomBytes } from '#kernel/cryptography'

/** A file that is being written. */
export type Output = {
  /** Adds bytes at the end. The array may be used again when this returns. */
  write(bytes: Uint8Array): void
  /** Writes over bytes that are already there. */
  patch(bytes: Uint8Array, at: number): void
  /** Bytes so far. */
  size(): number
}

/**
 * Writes a file completely or not at all: to a temporary file in the same folder, which is flushed to the disk and then
 * renamed. If `write` or the disk fails, the temporary file is removed and the file at `path` is unchanged.
 */
export function replaceFile<T>(path: string, write: (output: Output) => T): T {
  const file = createFile(temporaryName(path))
  try {
    const result = write(file.output)
    file.finish(path)
    return result
  } catch (cause) {
    file.abandon()
    throw cause
  }
}

/** The name of a file while `replaceFileLater` writes it. */
export const unfinishedPath = (path: string): string => `${path}.part`

/**
 * The same as `replaceFile` for writing that waits for other threads, and that may be stopped with its thread: then the file
 * `unfinishedPath(path)` is left. It replaces one that is left. Only one may write to a path at a time.
 */
export function replaceFileLater<T>(path: string, write: (output: Output) => Promise<T>): Promise<T> {
  rmSync(unfinishedPath(path), { force: true })
  return writeLater(createFile(unfinishedPath(path)), path, write)
}

/** Writes a new file, which others may read meanwhile. It is flushed to the disk; if `write` or the disk fails, it is removed. */
export const writeNew = <T>(path: string, write: (output: Output) => Promise<T>): Promise<T> =>
  writeLater(createFile(path), path, write)

async function writeLater<T>(file: NewFile, path: string, write: (output: Output) => Promise<T>): Promise<T> {
  try {
    const result = await write(file.output)
    file.finish(path)
    return result
  } catch (cause) {
    file.abandon()
    throw cause
  }
}

const temporaryName = (path: string) => `${path}.${randomBytes(6).toString('hex')}.part`

type NewFile = ReturnType<typeof createFile>

/** Creates a file, which must not exist. */
function createFile(name: string) {
  const file = openSync(name, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  let isOpen = true
  return {
    output: outputTo(file),
    /** Flushes it to the disk, under its last name. */
    finish(path: string): void {
      fsyncSync(file)
      isOpen = false
      closeSync(file)
      if (path !== name) renameSync(name, path)
      flushFolder(dirname(path))
    },
    abandon(): void {
      if (isOpen) closeSync(file)
      rmSync(name, { force: true })
    },
  }
}

/** Of a large file so many bytes at a time are flushed to the disk. */
const FLUSHED = 1 << 24

/**
 * A large file is flushed while it grows, by the thread that writes it: else the system writes gigabytes at once when it likes, and
 * commits to the database wait for them.
 */
function outputTo(file: number): Output {
  let size = 0
  let flushed = 0
  const put = (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done)
  }
  return {
    write(bytes) {
      put(bytes, size)
      size += bytes.length
      if (size - flushed < FLUSHED) return
      fdatasyncSync(file)
      flushed = size
    },
    patch: put,
    size: () => size,
  }
}

/** The bytes of a file in chunks. All of them use the same buffer: a chunk is valid only until the next one is read. */
export function* readPieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, constants.O_RDONLY)
  try {
    // No larger than the file: an archive of many small files would else take much memory before it is collected.
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(1 << 18, fstatSync(file).size)))
    for (let read = readSync(file, buffer); read; read = readSync(file, buffer)) yield buffer.subarray(0, read)
  } finally {
    closeSync(file)
  }
}

/** The SHA-256 of a file, in hexadecimal. */
export function hashOfFile(path: string): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const piece of readPieces(path)) hash.update(piece)
  return hash.digest('hex')
}

/** Flushes a folder to the disk: without this, a power cut could undo a new name. Windows neither has nor needs it. */
export function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, constants.O_RDONLY)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Writes text to a new file that is sent and deleted: nothing is flushed to the disk. It stops if somebody deletes the file
 * meanwhile, since nobody reads it any more. If `pieces` or the disk fails, the file is removed. Memory use does not grow with it.
 * Half a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD, as it does in the database. Returns the number of bytes.
 * @param onGrowth called with the number of bytes so far: with the first piece, and then about every 256 KB
 */
export function writeTemporary(path: string, pieces: Iterable<string>, onGrowth?: (bytes: number) => void): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  const output = outputTo(file)
  const encode = utf8()
  const reportGrowth = growthReporter(output, onGrowth)
  try {
    for (const text of pieces) {
      output.write(encode(text))
      if (reportGrowth() && !existsSync(path)) break
    }
    return output.size()
  } catch (cause) {
    rmSync(path, { force: true })
    throw cause
  } finally {
    closeSync(file)
  }
}

const GROWTH = 1 << 18

/** Returns a function that reports the size of a file if it has grown enough since the last report, and returns whether it did. */
export function growthReporter(output: Output, onGrowth: ((bytes: number) => void) | undefined): () => boolean {
  let next = 1
  return () => {
    const size = output.size()
    if (!onGrowth || size < next) return false
    onGrowth(size)
    next = size + GROWTH
    return true
  }
}

/** Returns a function that encodes text as UTF-8 into one buffer. The bytes are valid until the next call. */
export function utf8(): (text: string) => Uint8Array {
  let buffer = Buffer.allocUnsafe(0)
  return (text) => {
    if (buffer.length < text.length * 3) buffer = Buffer.allocUnsafe(text.length * 3)
    return buffer.subarray(0, buffer.write(text))
  }
}
