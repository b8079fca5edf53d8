/** What stops a command: one clear sentence for the person at the terminal, without a stack. */
export function fault(message: string): Error {
  const error = new Error(message)
  error.name = 'Fault'
  return error
}

/** Whether an error is a `fault`, made for a person to read, rather than a defect of ours. */
export const isFault = (error: unknown): error is Error => error instanceof Error && error.name === 'Fault'
