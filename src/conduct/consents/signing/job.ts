/** The work that writes signed PDFs, for callers that wait. */
import { unchangedResult, workerKind } from '#jobs/kind'
import { CountersignTask, SignTask } from './task'

/** Writes the PDF that somebody signs to a file among the exports. */
export const signConsent = workerKind({
  kind: 'signConsent',
  lane: 'exports',
  input: SignTask,
  work: async () => (await import('./work')).signWork,
  finish: unchangedResult,
})

/** Writes the page with a countersignature in the same way. */
export const countersignConsent = workerKind({
  kind: 'countersignConsent',
  lane: 'exports',
  input: CountersignTask,
  work: async () => (await import('./work')).countersignWork,
  finish: unchangedResult,
})
