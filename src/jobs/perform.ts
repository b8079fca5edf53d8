/** Work in a thread or process without a job, for a caller that waits for it. */
import type { Staff } from '#access/caller'
import { refuse } from '#kernel/problem'
import type { JobServices, WorkerKind } from './kind'
import { isMachineFailure } from './thrown'

type Json = Record<string, unknown>

/** Performs the work of a kind in its lane. @param by the account that asked for it @throws the refusal or the error that the work threw */
export const perform = <I extends Json, R extends Json>(
  { pool }: Pick<JobServices, 'pool'>,
  { kind }: WorkerKind<I, R>,
  input: I,
  by?: string,
): Promise<R> => pool.perform({ kind, input, ...(by === undefined ? {} : { by }) }) as Promise<R>

/**
 * The same for a request.
 * @throws 503 if the machine failed, such as a full disk, which is logged; else as `perform`: a defect becomes a 500
 */
export async function performForRequest<I extends Json, R extends Json>(
  services: Pick<JobServices, 'pool' | 'fault'>,
  kind: WorkerKind<I, R>,
  input: I,
  { user }: Pick<Staff, 'user'>,
): Promise<R> {
  try {
    return await perform(services, kind, input, user._id)
  } catch (reason) {
    if (!isMachineFailure(reason)) throw reason
    services.fault(reason, kind.kind)
    throw refuse.unavailable(
      'A file could not be written or read. Try again; if it stays so, the server’s log says why.',
    )
  }
}
