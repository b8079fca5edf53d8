/** Sends errors between threads: a message between threads alone would lose their class, stack and code. */
import { Problem, type ProblemBody } from '#kernel/problem'

/** The error that work threw, in the form that a worker posts. */
export type WorkerError =
  | { refusal: { status: number; body: ProblemBody; headers: Record<string, string> } }
  | { defect: { name: string; message: string; stack?: string | undefined; code?: string | undefined } }

/** Converts what work threw to the form that a worker posts. */
export function packError(reason: unknown): WorkerError {
  if (reason instanceof Problem) {
    const { status, body, headers } = reason
    return { refusal: { status, body, headers } }
  }
  if (!(reason instanceof Error)) return { defect: { name: 'Error', message: `Work threw ${String(reason)}` } }
  const { name, message, stack } = reason
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined
  return { defect: { name, message, stack, code } }
}

/** Returns the `Problem` of a refusal, or an error with all that is known of a defect. */
export function unpackError(thrown: WorkerError): Error {
  if ('refusal' in thrown) {
    const { status, body, headers } = thrown.refusal
    return new Problem(status, body, headers)
  }
  const { message, ...rest } = thrown.defect
  return Object.assign(new Error(message), rest)
}
