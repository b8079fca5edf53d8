import { workerKind } from '#jobs/kind'
import { finish } from './finish'
import { GenerationTask } from './task'

/** Reads a description and documents to a plan, and makes stages or a trial of it. */
export const readProtocol = workerKind({
  kind: 'readProtocol',
  lane: 'generation',
  input: GenerationTask,
  work: async () => (await import('./work')).protocolWork,
  finish,
})
