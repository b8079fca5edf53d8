/** Work on a worker thread without a job, for a caller that waits for it. */
import type { JsonObject } from '#kernel/json'
import { machineRefusal } from '#kernel/machine'
import type { JobServices, WorkerKind } from './kind'

/** Performs the work of a kind on a worker thread. @throws the refusal or the error that the work threw */
export const perform = <I extends JsonObject, R extends JsonObject>(
  { pool }: Pick<JobServices, 'pool'>,
  { kind }: WorkerKind<I, R>,
  input: I,
): Promise<R> => pool.perform({ kind, input }) as Promise<R>

/**
 * The same, for `prepare` of an operation.
 * @throws 507 if the disk is full, 503 if the machine failed otherwise, which is logged; else the error of `perform`, which
 * becomes a 500
 */
export async function performForRequest<I extends JsonObject, R extends JsonObject>(
  services: Pick<JobServices, 'pool' | 'fault'>,
  kind: WorkerKind<I, R>,
  input: I,
): Promise<R> {
  try {
    return await perform(services, kind, input)
  } catch (reason) {
    const refusal = machineRefusal(reason)
    if (!refusal) throw reason
    services.fault(reason, kind.kind)
    throw refusal
  }
}
