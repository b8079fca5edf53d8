import { unchangedResult, workerKind } from '#jobs/kind'
import { AskTask } from './askTask'

/** The job that asks an AI endpoint about submissions. The main thread raises the queries. */
export const askForQueries = workerKind({
  kind: 'askForQueries',
  lane: 'queries',
  input: AskTask,
  work: async () => (await import('./aiRequest')).askWork,
  finish: unchangedResult,
})
