import { importTask, structureTask } from '#design/structures/task'
import { unchangedResult, workerKind } from '#jobs/kind'

/** Writes the structure of a stage or of a whole study to a file among the exports. */
export const exportStructure = workerKind({
  ...structureTask,
  lane: 'exports',
  work: async () => (await import('./structureWork')).structureWork,
  finish: unchangedResult,
})

/** Reads an instrument to a plan. Refuses (400) a file that cannot be read, with a sentence that says why. */
export const importInstrument = workerKind({
  ...importTask,
  lane: 'imports',
  work: async () => (await import('./importWork')).importWork,
  finish: unchangedResult,
})
