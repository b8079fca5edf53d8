/** What a reader finds in a file, before names are resolved: the same for every source. */
import type { Node } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import type { PlannedComponent, PlannedStage, Warning } from '#design/stages/importPlan'

/** What only this service knows about a field or stage, as its own exports note it beside what the format can say. */
export type Extra = {
  stage?: Partial<PlannedStage>
  component?: { [Field in keyof PlannedComponent]?: PlannedComponent[Field] | null }
  type?: Record<string, unknown>
  /** The field asks the data type of that code, which another stage brought. */
  same?: string
  /** The row only stands for an empty stage. */
  none?: true
}

/** Something shown only when all of these hold. */
export type Shown = { shown?: readonly Node[]; shownText?: string }

export type DraftField = Shown & {
  kind: 'field'
  /** Its name in the file, by which the file's own expressions name it. */
  source: string
  /** The code it would best have; `source` where left out. */
  code?: string
  title: string
  note?: string
  description?: string
  format: Format
  settings: DataTypeSettings
  unit?: string
  isPii?: boolean
  isRequired?: boolean
  computed?: Node
  computedText?: string
  /** A Likert's statements by their names in the file. */
  rows?: readonly { source: string; key: string }[]
  extra?: Extra
}

export type DraftHeading = Shown & { kind: 'heading'; source: string; title: string; note?: string; extra?: Extra }

export type DraftItem = DraftField | DraftHeading

export type DraftStage = {
  source: string
  name: string
  description?: string
  settings?: Partial<PlannedStage>
  items: DraftItem[]
  extra?: Extra['stage']
}

export type Draft = {
  stages: DraftStage[]
  warnings: Warning[]
  /** A field of the same name in several stages is one and the same. */
  shares?: boolean
}
