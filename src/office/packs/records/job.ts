import { unchangedResult, workerKind } from '#jobs/kind'
import { AccountTask, ListTask, ReadTask } from './task'

/** Writes the list of packs to a file among the exports, which is sent and deleted. */
export const exportPacks = workerKind({
  kind: 'exportPacks',
  lane: 'exports',
  input: ListTask,
  work: async () => (await import('./work')).listWork,
  finish: unchangedResult,
})

/** Writes an accountability log to a file among the exports. */
export const exportPackAccount = workerKind({
  kind: 'exportPackAccount',
  lane: 'exports',
  input: AccountTask,
  work: async () => (await import('./work')).accountWork,
  finish: unchangedResult,
})

/** Reads a csv of packs. Refuses (400) a text that is not a table. */
export const readPackCsv = workerKind({
  kind: 'readPackCsv',
  lane: 'imports',
  input: ReadTask,
  work: async () => (await import('./readWork')).readWork,
  finish: unchangedResult,
})
