import { unchangedResult, workerKind } from '#jobs/kind'
import { TextTask } from './task'

/** Reads the texts of documents, one after the other, and reports what became of each. */
export const readFileTexts = workerKind({
  kind: 'readFileTexts',
  lane: 'imports',
  input: TextTask,
  work: async () => (await import('./work')).textWork,
  finish: unchangedResult,
})
