/** Work in a thread or process without a job, for a caller that waits for it. */
import type { Staff } from '#access/caller'
import type { JsonObject } from '#kernel/json'
import { machineRefusal } from '#kernel/machine'
import type { JobServices, TaskKind } from './kind'
import type { TaskOptions } from './lane'

/**
 * Performs the work of a kind in its lane.
 * @param by the account that asked for it
 * @param report called with what the work reports before it ends
 * @throws the refusal or the error that the work threw
 */
export const perform = <I extends JsonObject, R extends JsonObject>(
  { pool }: Pick<JobServices, 'pool'>,
  { kind }: TaskKind<I, R>,
  input: I,
  by?: string,
  report?: TaskOptions['report'],
): Promise<R> => pool.perform({ kind, input, ...(by === undefined ? {} : { by }) }, { report }) as Promise<R>

/**
 * The same, for `prepare` of an operation.
 * @throws 507 if the disk is full, 503 if the machine failed otherwise, which is logged; else the error of `perform`, which
 * becomes a 500
 */
export async function performForRequest<I extends JsonObject, R extends JsonObject>(
  services: Pick<JobServices, 'pool' | 'fault'>,
  kind: TaskKind<I, R>,
  input: I,
  { user }: { user: Pick<Staff['user'], '_id'> },
  report?: TaskOptions['report'],
): Promise<R> {
  try {
    return await perform(services, kind, input, user._id, report)
  } catch (reason) {
    const refusal = machineRefusal(reason)
    if (!refusal) throw reason
    services.fault(reason, kind.kind)
    throw refusal
  }
}
