/** The result of an import: data types, stages that refer to them by code, and warnings. */
import type { DataTypeInput } from '#design/dataTypes/model'
import { cut } from '#kernel/text'
import type { StageInput } from './model'

/** Something in the file that was not imported, or only partly. `field` is its name in the file. */
export type Warning = { field: string; problem: string }

/** The warning about texts in a language that the trial does not have. */
export const unknownLanguageWarning = (language: string): Warning => ({
  field: cut(language, 200),
  problem:
    'Its texts were left out, as the trial does not have this language as a further one. Add it to `languages` of the trial, and import the file again.',
})

export type PlannedType = DataTypeInput & { code: string }

/** A stage whose components and conditions refer to data types by their codes in lower case. */
export type PlannedStage = Omit<StageInput, 'index' | 'components'> & {
  components: NonNullable<StageInput['components']>
  /** The stage or date, by name, after which it opens. `delay` is in days. */
  waits?: { for: string; delay?: number; stageRecurrence?: number } | null
  /** The names of the groups that it is for; all if absent. */
  groups?: string[]
}
export type PlannedComponent = PlannedStage['components'][number]

export type ImportPlan = {
  stages: PlannedStage[]
  dataTypes: PlannedType[]
  warnings: Warning[]
  /** That of the texts themselves, if it is known. */
  language?: string
}
