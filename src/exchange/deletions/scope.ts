import { type DeletionRow, deletionById } from '#design/deletions/store'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'

export type DeletionScope = TrialScope & { deletion: DeletionRow }

/** A deletion in the trial that is still kept; 404 for one that was restored or purged. */
export const deletion: Scope<DeletionScope, 'trialId' | 'deletionId'> = (context) => {
  const inTrial = trialVisibleTo(context, context.params.trialId)
  const row = found(deletionById(context.db, context.params.deletionId), 'deletion')
  if (row.trial !== inTrial.trial._id || row.status !== 'kept') throw refuse.missing('deletion')
  return { ...inTrial, deletion: row }
}
