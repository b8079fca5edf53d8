import { unchangedResult, workerKind } from '#jobs/kind'
import { ExportTask } from './task'

/** Writes responses to a file among the exports (docs/exports.md). */
export const exportResponses = workerKind({
  kind: 'exportResponses',
  lane: 'exports',
  input: ExportTask,
  work: async () => (await import('./work')).exportWork,
  finish: unchangedResult,
})
