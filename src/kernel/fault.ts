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

/** An error that refuses a whole file. The worker passes its message to the person who sent the file. */
export function unreadable(message: string): Error {
  const error = new Error(message)
  error.name = 'Unreadable'
  return error
}

export const isUnreadable = (error: unknown): error is Error => error instanceof Error && error.name === 'Unreadable'
