/** Temporary files that are sent once: responses too large for memory, which a worker thread wrote. */
import { close, openSync, read, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const CHUNK_SIZE = 1 << 18
const readChunk = promisify(read)
const closeFile = promisify(close)

/**
 * Returns the file as a stream of bytes, and deletes it at once: nothing stays on the disk when the stream ends, is cancelled
 * or is never read. If an open file cannot be deleted (Windows), it is deleted at the end of the stream.
 */
export function streamAndDelete(path: string): ReadableStream<Uint8Array> {
  const file = openSync(path, 'r')
  let isLeft = false
  try {
    rmSync(path)
  } catch {
    isLeft = true
  }
  const end = async () => {
    await closeFile(file)
    if (isLeft) await rm(path, { force: true })
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { bytesRead, buffer } = await readChunk(file, new Uint8Array(CHUNK_SIZE), 0, CHUNK_SIZE, null)
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}
