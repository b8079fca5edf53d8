import type { Reason } from '#kernel/refusals/reason'

/**
 * An error in what a person passed to the program (a flag, a file, an expression). Its message is one clear sentence for that
 * person. Any other error is a defect of the program.
 */
export function fault(message: string): Error {
  const error = new Error(message)
  error.name = 'Fault'
  return error
}

/** Whether an error is a `fault`. */
export const isFault = (error: unknown): error is Error => error instanceof Error && error.name === 'Fault'

/** An error that refuses a whole file, for a reason that the person who sent the file gets. */
export type UnreadableError = Error & { reason: Reason }
/** Makes the error of a file that cannot be read, of the reason. */
export type MakeUnreadable = (why: Reason) => Error

export function unreadable(why: Reason): UnreadableError {
  const error = Object.assign(new Error(why.text), { reason: why })
  error.name = 'Unreadable'
  return error
}

export const isUnreadable = (error: unknown): error is UnreadableError =>
  error instanceof Error && error.name === 'Unreadable'
