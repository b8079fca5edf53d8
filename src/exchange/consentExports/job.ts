import { unchangedResult, workerKind } from '#jobs/kind'
import { ConsentExportTask } from './task'

/** Writes consents to a file among the exports. */
export const exportConsents = workerKind({
  kind: 'exportConsents',
  lane: 'exports',
  input: ConsentExportTask,
  work: async () => (await import('./work')).consentWork,
  finish: unchangedResult,
})
