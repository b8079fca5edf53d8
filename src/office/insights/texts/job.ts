import { workerKind } from '#jobs/kind'
import { finish } from './finish'
import { InsightTask } from './task'

/** Asks an AI endpoint for a text about insights. */
export const describeInsights = workerKind({
  kind: 'describeInsights',
  lane: 'queries',
  input: InsightTask,
  work: async () => (await import('./work')).describeWork,
  finish,
})
