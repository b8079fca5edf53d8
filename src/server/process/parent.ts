import { fstatSync } from 'node:fs'
import { firstParent } from './firstParent'

/** How often the id of the parent process is looked at, in milliseconds. */
const LOOK_MS = 500

/** The end of a pipe that comes this soon, in milliseconds, was there before: some build servers give an empty pipe. */
const EMPTY_MS = 250

/**
 * Calls `end` once when the program that started this process ends: when it closes the pipe on stdin, or this process gets
 * another parent. A stdin that is empty, a file or a terminal means nothing.
 */
export function onParentEnd(end: () => void): void {
  let hasEnded = false
  const ended = () => {
    if (hasEnded) return
    hasEnded = true
    clearInterval(timer)
    end()
  }
  const timer = setInterval(() => process.ppid !== firstParent && ended(), LOOK_MS)
  timer.unref()
  if (!isPipe(0)) return
  const from = performance.now()
  const closed = () => performance.now() - from > EMPTY_MS && ended()
  // `end` and `close` come together: the second must not be judged later than the first.
  process.stdin.once('end', closed).once('error', closed)
  process.stdin.resume()
}

/** Whether a file descriptor is a pipe or a socket, which is what programs give to those that they start. */
function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false // it is closed
  }
}
