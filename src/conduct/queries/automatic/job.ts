import { asItIs, workerKind } from '#jobs/kind'
import { AskTask } from './askTask'

/** Has an AI endpoint look at what was submitted; the main thread raises what it remarks. */
export const askForQueries = workerKind({
  kind: 'askForQueries',
  input: AskTask,
  work: async () => (await import('./asking')).askWork,
  finish: asItIs,
})
