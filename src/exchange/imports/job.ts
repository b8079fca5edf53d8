import { sources } from '#design/stages/importPlan'
import { asItIs, workerKind } from '#jobs/kind'
import { either, id, type Of, oneOf, orNull, shape, text } from '#wire/words'

const StructureTask = shape({
  format: oneOf(...sources),
  trial: id(),
  /** Null for all. */
  stage: orNull(id()),
  /** The name of the file among the exports. */
  file: text(1, 200),
  /** As ODM writes it. */
  createdAt: text(1, 40),
})
export type StructureTask = Of<typeof StructureTask>

/** Writes the structure of a stage or of a whole study to a file among the exports. */
export const exportStructure = workerKind({
  kind: 'exportStructure',
  input: StructureTask,
  work: async () => (await import('./structureWork')).structureWork,
  finish: asItIs,
})

const source = () => oneOf(...sources)
/** An upload, or the text itself. */
const ImportTask = either(
  shape({ source: source(), fileName: text(1, 200) }),
  shape({ source: source(), content: text(0, 1 << 30) }),
)
export type ImportTask = Of<typeof ImportTask>

/** Reads an instrument to a plan. Refuses (400) a file that cannot be read, with a sentence why. */
export const importInstrument = workerKind({
  kind: 'importInstrument',
  input: ImportTask,
  work: async () => (await import('./importWork')).importWork,
  finish: asItIs,
})
