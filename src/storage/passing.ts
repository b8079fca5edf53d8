/** Files that exist only to be sent once: an answer too long to be held in memory, written by a worker thread. */
import { open, rm } from 'node:fs/promises'

const PIECE = 1 << 18

/**
 * The file as a stream of bytes; nothing of it is left when the stream ends, is cancelled, or was never read. Where an open
 * file cannot be deleted (Windows) it goes at the end.
 */
export async function passingFile(path: string): Promise<ReadableStream<Uint8Array>> {
  const file = await open(path, 'r')
  await rm(path, { force: true }).catch(() => {})
  const end = async () => {
    await file.close()
    await rm(path, { force: true })
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE), 0, PIECE, null)
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
        await end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  )
}
