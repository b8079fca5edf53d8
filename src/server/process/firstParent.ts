import { fstatSync, readFileSync } from 'node:fs'

/** The id of the process that started this one. `main.ts` imports this file first: the parent may end while the rest is loaded. */
export const firstParent = process.ppid

/**
 * Whether the program that started this test server ended before this line ran, on Linux: init has the process now, and it is in a group
 * that neither it nor init leads. A process that init itself starts leads its own group or is in that of init.
 */
export const isOrphan = process.argv.includes('--test') && firstParent === 1 && isInGroupOfOthers()

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

function isInGroupOfOthers(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    // After the name, which may hold spaces: the state, the parent, the group and the session.
    const [, , group, session] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return group !== undefined && group > 1 && ![group, session].includes(process.pid)
  } catch {
    return false
  }
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
