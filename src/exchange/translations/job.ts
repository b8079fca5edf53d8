import { unchangedResult, workerKind } from '#jobs/kind'
import { ReadTask, WriteTask } from './task'

/** Writes the texts of a trial and their translations into a language to a file among the exports. */
export const exportTranslations = workerKind({
  kind: 'exportTranslations',
  lane: 'exports',
  input: WriteTask,
  work: async () => (await import('./work')).writeWork,
  finish: unchangedResult,
})

/** Reads a table of translations. Refuses (400) a file that is none. */
export const readTranslations = workerKind({
  kind: 'readTranslations',
  lane: 'imports',
  input: ReadTask,
  work: async () => (await import('./readWork')).readWork,
  finish: unchangedResult,
})
