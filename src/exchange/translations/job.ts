import { readTask, writeTask } from '#design/translations/files/task'
import { unchangedResult, workerKind } from '#jobs/kind'

/** Writes the texts of a trial and their translations into a language to a file among the exports. */
export const exportTranslations = workerKind({
  ...writeTask,
  lane: 'exports',
  work: async () => (await import('./work')).writeWork,
  finish: unchangedResult,
})

/** Reads a table of translations. Refuses (400) any other file. */
export const readTranslations = workerKind({
  ...readTask,
  lane: 'imports',
  work: async () => (await import('./readWork')).readWork,
  finish: unchangedResult,
})
