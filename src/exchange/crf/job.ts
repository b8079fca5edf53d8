import { unchangedResult, workerKind } from '#jobs/kind'
import { FormTask } from './formTask'

/** Writes the case report form of a stage to a file among the exports. */
export const exportForm = workerKind({
  kind: 'exportForm',
  lane: 'exports',
  input: FormTask,
  work: async () => (await import('./work')).formWork,
  finish: unchangedResult,
})
