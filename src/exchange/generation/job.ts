import { generationTask } from '#design/generation/task'
import { workerKind } from '#jobs/kind'
import { finish } from './finish'

/** Reads a description and documents to a plan, and makes stages or a trial of it. */
export const readProtocol = workerKind({
  ...generationTask,
  lane: 'generation',
  work: async () => (await import('./work')).protocolWork,
  finish,
})
