import { formTask } from '#design/stages/files/formTask'
import { unchangedResult, workerKind } from '#jobs/kind'

/** Writes the case report form of a stage to a file among the exports. */
export const exportForm = workerKind({
  ...formTask,
  lane: 'exports',
  work: async () => (await import('./work')).formWork,
  finish: unchangedResult,
})
