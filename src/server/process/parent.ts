import { firstParent, isOrphan, stdin } from './firstParent'

/** How often the id of the parent process is looked at, in milliseconds. */
const LOOK_MS = 500

/**
 * Calls `end` once when the program that started this process ends: when it closes the pipe on stdin, or this process gets
 * another parent. A stdin that is empty, a file or a terminal means nothing. Call it when the server runs: a pipe that has ended by then
 * was empty.
 */
export function onParentEnd(end: () => void): void {
  if (isOrphan) {
    end()
    return
  }
  let hasEnded = false
  const ended = () => {
    if (hasEnded) return
    hasEnded = true
    clearInterval(timer)
    end()
  }
  const timer = setInterval(() => process.ppid !== firstParent && ended(), LOOK_MS)
  timer.unref()
  if (stdin.isPipe && !stdin.hasEnded) process.stdin.once('end', ended).once('error', ended)
}
