import { fstatSync } from 'node:fs'

/** The id of the process that started this one. `main.ts` imports this file first: the parent may end while the rest is loaded. */
export const firstParent = process.ppid

/**
 * Stdin of a test server, read from the start of the process on: whether it ended before the server ran, as the empty pipe that some
 * build servers give.
 */
export const stdin = { isPipe: false, hasEnded: false }

if (process.argv.includes('--test') && isPipe(0)) {
  stdin.isPipe = true
  const ended = () => {
    stdin.hasEnded = true
  }
  process.stdin.once('end', ended).once('error', ended)
  process.stdin.resume()
  process.stdin.unref()
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
