/**
 * The gate through which this program reaches other machines. Every function that opens a connection asks here first, so that a
 * restored copy sends nothing, whatever is configured (docs/backup.md, "A copy sends nothing"). A test finds connections elsewhere.
 */

import { type Reason, reason } from '#kernel/refusals/reason'

export const CLOSED = reason('copySendsNothing')

let isClosed = false

/** From now on, this process or thread reaches no other machine. */
export const closeGate = (): void => {
  isClosed = true
}

/** For tests, which run several servers in one process. */
export const openGate = (): void => {
  isClosed = false
}

/** Why no connection may be opened; undefined if one may. */
export const gateProblem = (): Reason | undefined => (isClosed ? CLOSED : undefined)
