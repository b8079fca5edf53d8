import { write, writeSync } from 'node:fs'

/** The most characters that wait for a slow reader. Further lines are dropped and counted. */
const MOST_WAITING = 8 << 20

/**
 * Writes lines to a file, one write at a time; a log that cannot be written never stops the server.
 * @param next returns the file descriptor for the next bytes; undefined if they must be dropped
 */
export function openWriter(next: (bytes: number) => number | undefined, droppedLine: (count: number) => string) {
  let waiting: string[] = []
  let size = 0
  let dropped = 0
  let inFlight = false
  let isScheduled = false
  let whenIdle: (() => void) | undefined

  const take = (): Buffer => {
    if (dropped) waiting.push(droppedLine(dropped))
    const chunk = Buffer.from(waiting.join(''))
    waiting = []
    size = dropped = 0
    return chunk
  }
  const send = (): void => {
    isScheduled = false
    if (inFlight) return
    if (waiting.length) begin(take())
    else whenIdle?.()
  }
  const begin = (chunk: Buffer): void => {
    const fd = next(chunk.length)
    if (fd === undefined) setImmediate(send)
    else put(fd, chunk)
  }
  const put = (fd: number, chunk: Buffer): void => {
    inFlight = true
    write(fd, chunk, 0, chunk.length, null, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(() => put(fd, chunk), 5)
      if (!error && written < chunk.length) return put(fd, chunk.subarray(written))
      inFlight = false
      send()
    })
  }
  return {
    add(line: string): void {
      if (size > MOST_WAITING) {
        dropped++
        return
      }
      waiting.push(line)
      size += line.length
      if (isScheduled || inFlight) return
      isScheduled = true
      setImmediate(send)
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        whenIdle = resolve
        send()
      }),
    /** Writes synchronously, because nothing asynchronous runs any more at exit. */
    flush(): void {
      const chunk = take()
      const fd = chunk.length ? next(chunk.length) : undefined
      if (fd === undefined) return
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at)
      } catch {
        // the reader of the log has closed it
      }
    },
  }
}
