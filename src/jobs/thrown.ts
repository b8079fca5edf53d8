/** Errors between threads: a message between threads loses their class, stack and code. */
import { Problem, type ProblemBody } from '#kernel/problem'

/** What work threw, as a worker posts it. */
export type Thrown =
  | { refusal: { status: number; body: ProblemBody; headers: Record<string, string> } }
  | { defect: { name: string; message: string; stack?: string | undefined; code?: string | undefined } }

export function packedError(reason: unknown): Thrown {
  if (reason instanceof Problem) {
    const { status, body, headers } = reason
    return { refusal: { status, body, headers } }
  }
  if (!(reason instanceof Error)) return { defect: { name: 'Error', message: `Work threw ${String(reason)}` } }
  const { name, message, stack } = reason
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : undefined
  return { defect: { name, message, stack, code } }
}

/** The `Problem` of a refusal, or an error that says of a defect all that is known. */
export function unpackedError(thrown: Thrown): Error {
  if ('refusal' in thrown) {
    const { status, body, headers } = thrown.refusal
    return new Problem(status, body, headers)
  }
  const { message, ...rest } = thrown.defect
  return Object.assign(new Error(message), rest)
}

/** Whether the machine failed and not the program: a full disk, a folder that is gone. */
export const isOfMachine = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && /^E[A-Z0-9]+$/.test(String(reason.code))
