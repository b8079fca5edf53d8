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
  requireAtMost(MOST_DATA_TYPES, 'tooManyDataTypes', dataTypes.size + more.dataTypes)
  requireAtMost(MOST_STAGES, 'tooManyStages', stageOrder.length + more.stages)
}

function requireAtMost(most: number, code: 'tooManyDataTypes' | 'tooManyStages', count: number): void {
  if (count > most) throw refuse.bad(code, { most, count }, { most, count })
}
