import { unchangedResult, workerKind } from '#jobs/kind'
import { HardwareReadTask } from './task'

/** Reads a file that a provider of wearables exported. Refuses (400) a file that is not one. */
export const readHardwareFile = workerKind({
  kind: 'readHardwareFile',
  lane: 'imports',
  input: HardwareReadTask,
  work: async () => (await import('./work')).readHardwareWork,
  finish: unchangedResult,
})
