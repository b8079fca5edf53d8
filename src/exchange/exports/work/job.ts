import { exportTask } from '#exchange/exports/task'
import { unchangedResult, workerKind } from '#jobs/kind'

export const exportResponses = workerKind({
  ...exportTask,
  lane: 'exports',
  work: async () => (await import('./work')).exportWork,
  finish: unchangedResult,
})
