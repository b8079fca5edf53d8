import { closeSync, constants, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
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
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`
  const file = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  let open = true
  try {
    const result = write(outputTo(file))
    fsyncSync(file)
    open = false
    closeSync(file)
    renameSync(temporary, path)
    flushFolder(dirname(path))
    return result
  } catch (cause) {
    if (open) closeSync(file)
    rmSync(temporary, { force: true })
    throw cause
  }
}

function outputTo(file: number): Output {
  let size = 0
  const put = (bytes: Uint8Array, at: number) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done)
  }
  return {
    write(bytes) {
      put(bytes, size)
      size += bytes.length
    },
    patch: put,
    size: () => size,
  }
}

/** The bytes of a file in chunks. All of them use the same buffer: a chunk is valid only until the next one is read. */
export function* readPieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, constants.O_RDONLY)
  const buffer = Buffer.allocUnsafe(1 << 18)
  try {
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
 * @param grown called with the number of bytes so far: with the first piece, and then every `GROWTH` bytes
 */
export function writeTemporary(path: string, pieces: Iterable<string>, grown?: (bytes: number) => void): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  const output = outputTo(file)
  const encode = utf8()
  let next = 1
  try {
    for (const text of pieces) {
      output.write(encode(text))
      if (!grown || output.size() < next) continue
      if (!existsSync(path)) break
      grown(output.size())
      next = output.size() + GROWTH
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

/** Returns a function that encodes text as UTF-8 into one buffer. The bytes are valid until the next call. */
export function utf8(): (text: string) => Uint8Array {
  let buffer = Buffer.allocUnsafe(0)
  return (text) => {
    if (buffer.length < text.length * 3) buffer = Buffer.allocUnsafe(text.length * 3)
    return buffer.subarray(0, buffer.write(text))
  }
}
