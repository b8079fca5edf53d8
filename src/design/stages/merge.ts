/** A stage as it is after what was sent. */
import type { StageInput } from './model'
import { type StageRow, stageDefaults } from './store'

type Key = Pick<StageRow, '_id' | 'createdAt' | 'trial' | 'index'>

/** `HH:MM` as the `HH:MM:SS` it stands for. */
const withSeconds = (time: string | null): string | null => (time?.length === 5 ? `${time}:00` : time)

/** The fields that were sent over those that stand; a change of place is not made here. */
export function merged(before: StageRow, { index: _, ...sent }: Partial<StageInput>): StageRow {
  const after: StageRow = { ...before, ...sent }
  return {
    ...after,
    enableAtTime: withSeconds(after.enableAtTime),
    behindCutoffTime: withSeconds(after.behindCutoffTime),
  }
}

/** A new stage: what was sent over the defaults. */
export const created = (key: Key, sent: Omit<StageInput, 'index'>): StageRow =>
  merged({ ...stageDefaults, name: sent.name, ...key }, sent)
