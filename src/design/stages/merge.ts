/** Makes a stage from what was sent: a new one, or an existing one with changes. */
import type { StageInput } from './model'
import { type StageRow, stageDefaults } from './store'

type Key = Pick<StageRow, '_id' | 'createdAt' | 'trial' | 'index'>

/** `HH:MM` as `HH:MM:00`. */
const withSeconds = (time: string | null): string | null => (time?.length === 5 ? `${time}:00` : time)

/** The stage with the sent fields. Does not change its `index`. */
export function mergeStage(before: StageRow, { index: _, ...sent }: Partial<StageInput>): StageRow {
  const after: StageRow = { ...before, ...sent }
  return {
    ...after,
    enableAtTime: withSeconds(after.enableAtTime),
    behindCutoffTime: withSeconds(after.behindCutoffTime),
  }
}

/** A new stage: the sent fields, and defaults for the others. */
export const stageFromInput = (key: Key, sent: Omit<StageInput, 'index'>): StageRow =>
  mergeStage({ ...stageDefaults, name: sent.name, ...key }, sent)
