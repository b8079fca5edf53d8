/** Files that exist only to be sent once: an answer too long to be held in memory, written by a worker thread. */
import { close, openSync, read, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const PIECE = 1 << 18
const readPiece = promisify(read)
const closed = promisify(close)

/**
 * The file as a stream of bytes; nothing of it is left on the disk when the stream ends, is cancelled, or is never read. An
 * open file that cannot be deleted yet (Windows) goes at the end.
 */
export function passingFile(path: string): ReadableStream<Uint8Array> {
  const file = openSync(path, 'r')
  let isThere = false
  try {
    rmSync(path)
  } catch {
    isThere = true
  }
  const end = async () => {
    await closed(file)
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
