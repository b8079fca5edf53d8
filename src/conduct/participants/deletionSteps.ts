/**
 * Deletes the participants whose deletion was accepted, in short transactions, so that other requests do not wait long (docs/performance.md,
 * "Deletions"). A kill between two of them leaves what fits together, and the next start goes on.
 */
import { appendEntry } from '#audit/append'
import { withSecureDelete } from '#db/secureDelete'
import { keptEvent, performRecordedDeletion } from '#design/deletions/keepDeletion'
import { type DeletionRow, pendingDeletions } from '#design/deletions/store'
import type { Services } from '#http/services'
import type { removeFiles } from '#jobs/fileRemoval'
import { type Id, newId } from '#kernel/id'
import { eraseParticipant } from './deletionStore'

/** Most participants per commit, and after how many milliseconds no other one follows. */
const BATCH = 20
const MILLISECONDS = 20

type StepContext = Omit<Parameters<typeof removeFiles>[0], 'caller' | 'id'>

/** Deletes a participant, and keeps what is deleted. Returns what the audit entry says of it. */
export function deleteAccepted(context: StepContext, row: DeletionRow) {
  const { db, now } = context
  const { subject: _id, name: id, reason, deletedBy } = row
  const removal = { ...context, id: () => newId(now), caller: { user: { _id: deletedBy } } }
  const { result, deletion } = performRecordedDeletion(removal, row, () =>
    withSecureDelete(db, () => eraseParticipant(db, _id)),
  )
  const { files, ...counts } = result
  return { _id, id, reason, deleted: { ...counts, files: files.length }, ...keptEvent(deletion) }
}

/** The same in a step, with the entry that says who asked for it. */
function deleteAndRecord(context: StepContext, row: DeletionRow): void {
  const { deletedBy: user, deletedByEmail: userEmail, apiKey: apiToken, address, device, subject: participant } = row
  const by = { userType: 'user' as const, user, userEmail, apiToken, address, device }
  const event = deleteAccepted(context, row)
  const entry = { ...by, chain: row.trial!, createdAt: context.now, type: 'deleteParticipant', participant }
  appendEntry(context.db, { ...entry, event })
}

/** Does one step. Returns whether more may be left. @param trial of this one only */
export async function deleteNextBatch(services: Services, trial?: Id): Promise<boolean> {
  const { db, commit, clock } = services
  if (!pendingDeletions(db, 1, trial).length) return false
  const effects: (() => void)[] = []
  const isMore = await commit(() => {
    effects.length = 0
    const began = performance.now()
    const after = (effect: () => void) => void effects.push(effect)
    for (const row of pendingDeletions(db, BATCH, trial)) {
      deleteAndRecord({ db, services, now: clock.now(), after }, row)
      if (performance.now() - began > MILLISECONDS) return true
    }
    return false
  })
  for (const effect of effects) effect()
  return isMore || pendingDeletions(db, 1, trial).length > 0
}

/** Does all steps that a trial still needs. */
export async function finishDeletions(services: Services, trial: Id): Promise<void> {
  while (await deleteNextBatch(services, trial));
}
