/** How large the configuration of a trial may be. Some requests read or copy all of it, and other requests should not wait for them. */
import { refuse } from '#kernel/problem'
import type { Configuration } from './configuration'

const MOST_DATA_TYPES = 20_000
const MOST_STAGES = 2_000

/** @throws 400 if the trial would have too many data types or stages */
export function requireSizeLimits(
  { dataTypes, stageOrder }: Pick<Configuration, 'dataTypes' | 'stageOrder'>,
  more: { dataTypes: number; stages: number },
): void {
  requireAtMost(MOST_DATA_TYPES, 'data types', dataTypes.size + more.dataTypes)
  requireAtMost(MOST_STAGES, 'stages', stageOrder.length + more.stages)
}

function requireAtMost(most: number, what: string, count: number): void {
  if (count > most) throw refuse.bad(`A trial may have ${most} ${what}; this one would have ${count}.`, { most, count })
}
