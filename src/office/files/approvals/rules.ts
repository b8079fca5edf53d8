/** What becomes of a request for approval. */
import type { ApprovalStatus, Decision } from './store'

/** The status of a request with these decisions, null for those who have not decided: one rejection is enough, approval needs all. */
export function outcomeOf(decisions: readonly (Decision | null)[]): Extract<ApprovalStatus, 'open' | Decision> {
  if (decisions.includes('rejected')) return 'rejected'
  return decisions.every((decision) => decision === 'approved') ? 'approved' : 'open'
}
