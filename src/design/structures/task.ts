/** The inputs of worker threads that read or write an instrument. */

import type { ImportPlan, Warning } from '#design/stages/importPlan'
import type { TaskKind } from '#jobs/kind'
import { either, id, list, maybe, oneOf, orNull, shape, text, type ValueOf } from '#wire/schema'
import { sources } from './model'

const source = () => oneOf(...sources)

/** The languages into which the trial is translated; all of the file, if absent. */
const languages = () => maybe(list(text(1, 100), 50))

export const StructureTask = shape({
  format: source(),
  trial: id(),
  /** Null for all stages. */
  stage: orNull(id()),
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
  /** The moment as text, for the header of an ODM file. */
  createdAt: text(1, 40),
})
export type StructureTask = ValueOf<typeof StructureTask>

/** The stored name of an upload, or the content itself. */
export const ImportTask = either(
  shape({ source: source(), languages: languages(), fileName: text(1, 200) }),
  shape({ source: source(), languages: languages(), content: text(0, 1 << 30) }),
)
export type ImportTask = ValueOf<typeof ImportTask>

export const structureTask: TaskKind<StructureTask, { bytes: number; warnings: Warning[] }> = {
  kind: 'exportStructure',
  input: StructureTask,
}

export const importTask: TaskKind<ImportTask, { plan: ImportPlan }> = { kind: 'importInstrument', input: ImportTask }
