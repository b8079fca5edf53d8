/** What becomes of a request for approval. */
import { type Reason, reason } from '#kernel/refusals/reason'
import type { ApprovalStatus, Decision } from './store'

/** The statuses that end a request, in a sentence: “it is …”. */
export const statusLabels: Readonly<Record<Exclude<ApprovalStatus, 'open'>, Reason>> = {
  approved: reason('statusApproved'),
  rejected: reason('statusRejected'),
  withdrawn: reason('statusWithdrawn'),
  stale: reason('statusStale'),
}

/** The status of a request with these decisions, null for those who have not decided: one rejection is enough, approval needs all. */
export function outcomeOf(decisions: readonly (Decision | null)[]): Extract<ApprovalStatus, 'open' | Decision> {
  if (decisions.includes('rejected')) return 'rejected'
  return decisions.every((decision) => decision === 'approved') ? 'approved' : 'open'
}
