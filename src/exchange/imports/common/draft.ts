/** The content of a file as its reader returns it, before names are resolved: the same for every format. */
import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import type { PlannedComponent, PlannedStage, Warning } from '#design/stages/importPlan'

import type { SoftRange } from './softRange'

/** Adds a warning. `field` is the name in the file, `problem` a sentence. */
export type Warn = (field: string, problem: string) => void
/** The same for one field. */
export type Report = (problem: string) => void

/** Properties of a field or stage that the format cannot hold. Our own exports write them into the file as notes. */
export type ExtraProperties = {
  stage?: Partial<PlannedStage>
  component?: { [Field in keyof PlannedComponent]?: PlannedComponent[Field] | null }
  type?: Record<string, unknown>
  /** The code of the data type of the field, if an earlier stage in the file has brought it already. */
  same?: string
  /** Set if the row only stands for a stage without components. */
  none?: true
}

/**
 * An item is shown only if all of its conditions hold. `conditionText` is what the file says, `unread` why that cannot be read: then
 * nobody is asked the item.
 */
export type ItemConditions = { conditions?: readonly ExpressionNode[]; conditionText?: string; unread?: string }

export type DraftField = ItemConditions & {
  kind: 'field'
  /** Its name in the file, which the expressions in the file use. */
  source: string
  /** The preferred code; `source` if absent. */
  code?: string
  title: string
  note?: string
  description?: string
  /** Of the file, for the study team only: annotations, action tags. */
  annotation?: string
  format: Format
  settings: DataTypeSettings
  unit?: string
  isPii?: boolean
  isRequired?: boolean
  /** Not asked of participants. */
  isHidden?: boolean
  /** Outside of it the file only warns. */
  softRange?: SoftRange
  computed?: ExpressionNode
  computedText?: string
  /** The statements of a Likert: their names in the file, and their keys. */
  rows?: readonly { source: string; key: string }[]
  extra?: ExtraProperties
}

export type DraftHeading = ItemConditions & {
  kind: 'heading'
  source: string
  title: string
  note?: string
  extra?: ExtraProperties
}

export type DraftItem = DraftField | DraftHeading

export type DraftStage = {
  source: string
  name: string
  description?: string
  settings?: Partial<PlannedStage>
  waits?: PlannedStage['waits']
  groups?: PlannedStage['groups']
  items: DraftItem[]
  extra?: ExtraProperties['stage']
}

export type Draft = {
  stages: DraftStage[]
  warnings: Warning[]
  /** Whether fields of the same name in several stages are one field. */
  shares?: boolean
  /** The same in the other languages of the file. */
  others?: ReadonlyMap<string, () => Draft>
}
