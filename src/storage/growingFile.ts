/** Files that are sent while another thread writes them. */
import { close, open, read } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const PIECE = 1 << 18
const openFile = promisify(open)
const readPiece = promisify(read)
const closeFile = promisify(close)

/** What the sender of a file knows about the writing of it. */
export type Growth = {
  /** Notes that the file has so many bytes. */
  grew(bytes: number): void
  /** Notes that the writing has ended. @param reason why it failed, if it did */
  ended(reason?: unknown): void
  /** Any number of readers may wait. Resolves when the file has more than `at` bytes; false if it never will. @throws why the writing failed */
  hasMore(at: number): Promise<boolean>
}

export function growth(): Growth {
  let size = 0
  let end: { reason?: unknown } | undefined
  let changed = Promise.withResolvers<void>()
  const wake = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  return {
    grew(bytes) {
      size = bytes
      wake()
    },
    ended(reason) {
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
 * @param isKept the file stays on the disk. Else it is deleted when it is sent, and when the reader goes away: from that the writer
 * knows that it may stop
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
            const { bytesRead, buffer } = await readPiece(file, new Uint8Array(PIECE), 0, PIECE, at)
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
