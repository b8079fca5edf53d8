import { asItIs, workerKind } from '#jobs/kind'
import { type Of, shape, whole } from '#wire/words'

/** The submissions after this one, at most so many. */
const AskTask = shape({ after: whole(0), limit: whole(1) })
export type AskTask = Of<typeof AskTask>

/** Has an AI endpoint look at what was submitted; the main thread raises what it remarks. */
export const askForQueries = workerKind({
  kind: 'askForQueries',
  input: AskTask,
  work: async () => (await import('./asking')).askWork,
  finish: asItIs,
})
