import { asItIs, workerKind } from '#jobs/kind'
import { ExportTask } from './task'

/** Writes responses to a file among the exports (specification "Responses and exports"). */
export const exportResponses = workerKind({
  kind: 'exportResponses',
  input: ExportTask,
  work: async () => (await import('./work')).exportWork,
  finish: asItIs,
})
