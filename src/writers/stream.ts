/** Waits until what came in meanwhile had its turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * A text as the body of a response, piece by piece: each is made when it is read, and other requests have their turn between two
 * pieces. When the reader goes away, the pieces are returned, so that a `finally` among them runs.
 */
export function streamOf(pieces: Generator<string>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn()
      const { value, done } = pieces.next()
      if (done) controller.close()
      else controller.enqueue(utf8.encode(value))
    },
    cancel: () => void pieces.return(undefined),
  })
}
