import { unchangedResult, workerKind } from '#jobs/kind'
import { PreviewTask } from './task'

/** Renders a document for browsers. Refuses (400) one that cannot be read, with a sentence that says why. */
export const previewFile = workerKind({
  kind: 'previewFile',
  lane: 'imports',
  input: PreviewTask,
  work: async () => (await import('./work')).previewWork,
  finish: unchangedResult,
})
