import { unchangedResult, workerKind } from '#jobs/kind'
import { ImportTask, StructureTask } from './task'

/** Writes the structure of a stage or of a whole study to a file among the exports. */
export const exportStructure = workerKind({
  kind: 'exportStructure',
  lane: 'exports',
  input: StructureTask,
  work: async () => (await import('./structureWork')).structureWork,
  finish: unchangedResult,
})

/** Reads an instrument to a plan. Refuses (400) a file that cannot be read, with a sentence that says why. */
export const importInstrument = workerKind({
  kind: 'importInstrument',
  lane: 'imports',
  input: ImportTask,
  work: async () => (await import('./importWork')).importWork,
  finish: unchangedResult,
})
