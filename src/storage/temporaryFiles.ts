/** Temporary files that are sent once: responses too large for memory, which a worker thread wrote. */
import { close, openSync, read, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const PIECE = 1 << 18
const readPiece = promisify(read)
const closeFile = promisify(close)

/**
 * Returns the file as a stream of bytes, and deletes it at once: nothing stays on the disk when the stream ends, is cancelled
 * or is never read. If an open file cannot be deleted (Windows), it is deleted at the end of the stream.
 */
export function streamAndDelete(path: string): ReadableStream<Uint8Array> {
  const file = openSync(path, 'r')
  let isThere = false
  try {
    rmSync(path)
  } catch {
    isThere = true
  }
  const end = async () => {
    await closeFile(file)
    if (isThere) await rm(path, { force: true })
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { bytesRead, buffer } = await readPiece(file, new Uint8Array(PIECE), 0, PIECE, null)
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}
