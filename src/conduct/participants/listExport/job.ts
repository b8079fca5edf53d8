import { unchangedResult, workerKind } from '#jobs/kind'
import { ParticipantsTask } from './task'

/** Writes the participants' list to a file among the exports, which is sent and deleted (docs/exports.md, "Large exports"). */
export const exportParticipants = workerKind({
  kind: 'exportParticipants',
  lane: 'exports',
  input: ParticipantsTask,
  work: async () => (await import('./work')).participantsWork,
  finish: unchangedResult,
})
