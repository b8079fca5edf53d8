/** Work that somebody waits for, without a job. */
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import type { WorkerKind } from './kind'
import { isOfMachine } from './thrown'

type Json = Record<string, unknown>

/** Has a worker thread do the work of a kind. @throws the refusal of the work, or its defect */
export const perform = <I extends Json, R extends Json>(
  { pool }: Pick<Services, 'pool'>,
  { kind }: WorkerKind<I, R>,
  input: I,
): Promise<R> => pool.perform({ kind, input }) as Promise<R>

/**
 * The same for a request.
 * @throws 503 where the machine failed, such as a full disk, which is logged; else as above: a defect is answered with 500
 */
export async function performForRequest<I extends Json, R extends Json>(
  services: Pick<Services, 'pool' | 'fault'>,
  kind: WorkerKind<I, R>,
  input: I,
): Promise<R> {
  try {
    return await perform(services, kind, input)
  } catch (reason) {
    if (!isOfMachine(reason)) throw reason
    services.fault(reason, kind.kind)
    throw refuse.unavailable(
      'A file could not be written or read. Try again; if it stays so, the server’s log says why.',
    )
  }
}
