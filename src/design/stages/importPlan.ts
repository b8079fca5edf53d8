/** What an import makes: data types and stages that know each other by code, and what could not be carried over. */
import type { DataTypeInput } from '#design/dataTypes/model'
import type { StageInput } from './model'

/** What was not, or not wholly, carried over. `field` is its name in the file. */
export type Warning = { field: string; problem: string }

export type PlannedType = DataTypeInput & { code: string }

/** A stage whose components, and their conditions, name data types by code in lower case. */
export type PlannedStage = Omit<StageInput, 'index' | 'components'> & {
  components: NonNullable<StageInput['components']>
}
export type PlannedComponent = PlannedStage['components'][number]

export type ImportPlan = { stages: PlannedStage[]; dataTypes: PlannedType[]; warnings: Warning[] }

/** A refusal of a whole file, in words for the person who sent it; its message travels from the worker. */
export function unreadable(message: string): Error {
  const error = new Error(message)
  error.name = 'Unreadable'
  return error
}

export const isUnreadable = (error: unknown): error is Error => error instanceof Error && error.name === 'Unreadable'
