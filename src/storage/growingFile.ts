/** Files that are sent while another thread writes them. */
import { close, open, read } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const CHUNK_SIZE = 1 << 18
const openFile = promisify(open)
const readChunk = promisify(read)
const closeFile = promisify(close)

/** The progress of writing a file, shared by its writer and its senders. */
export type Growth = {
  /** Notes that the file has so many bytes. */
  setSize(bytes: number): void
  /** Notes that the writing has ended. @param reason why it failed, if it did */
  finish(reason?: unknown): void
  /** Any number of readers may wait. Resolves when the file has more than `at` bytes; false if it never will. @throws why the writing failed */
  hasMore(at: number): Promise<boolean>
}

export function createGrowth(): Growth {
  let size = 0
  let end: { reason?: unknown } | undefined
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  return {
    setSize(bytes) {
      size = bytes
      wake()
    },
    finish(reason) {
      end = { reason }
      wake()
    },
    async hasMore(at) {
      while (size <= at && !end) await changed.promise
      if (size > at) return true
      if (end?.reason !== undefined) throw end.reason
      return false
    },
  }
}

/**
 * The file as a stream of bytes, each as soon as it is written. If the writing fails, so does the stream, and the client sees that it
 * is not complete.
 * @param isKept the file stays on the disk. Else it is deleted when it is sent, and when the reader goes away: this tells the writer
 * that it may stop
 */
export function streamGrowing(
  path: string,
  { hasMore }: Pick<Growth, 'hasMore'>,
  isKept = false,
): ReadableStream<Uint8Array> {
  let file: number | undefined
  let at = 0
  const end = async () => {
    if (!isKept) await rm(path, { force: true })
    if (file !== undefined) await closeFile(file)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (await hasMore(at)) {
            file ??= await openFile(path, 'r')
            const { bytesRead, buffer } = await readChunk(file, new Uint8Array(CHUNK_SIZE), 0, CHUNK_SIZE, at)
            at += bytesRead
            return controller.enqueue(buffer.subarray(0, bytesRead))
          }
        } catch (reason) {
          await end()
          throw reason
        }
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}
