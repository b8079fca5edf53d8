/** Decisions of approvers, and what they do to the request and to the version. */
import type { Db } from '#db/open'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import type { FileRow } from '#office/files/store'
import { mayApprove } from './approvers'
import { mailRequester } from './mail'
import type { DecisionInput } from './model'
import { outcomeOf } from './rules'
import {
  type ApprovalRow,
  type ApprovalStatus,
  type ApproverRow,
  approversOf,
  endApproval,
  setVersionStatus,
  storeDecision,
} from './store'

type DecisionContext = { db: Db; now: Instant; trial: Trial; file: FileRow; approval: ApprovalRow }

/**
 * Stores the decision of an approver of an open request, and ends the request if it is the last one.
 * @returns the status of the request
 * @throws 400 if the approver has decided already, if a rejection has no comment, or if an approval would be the last one and nobody
 *   with the permission approveFiles is behind the request
 */
export function decide(
  { db, now, trial, file, approval }: DecisionContext,
  approver: ApproverRow,
  { decision, comment = null }: DecisionInput,
  byLink: boolean,
): ApprovalStatus {
  if (decision === 'rejected' && !/[^\s\p{Cf}]/u.test(comment ?? '')) throw refuse.bad('rejectionReasonMissing')
  const mayDecide = mayApprove(db, approver.user, file)
  const decisionFields = { decision, decidedAt: now, comment: comment?.trim() || null, byLink, mayApprove: mayDecide }
  if (!storeDecision(db, approver._id, decisionFields)) throw refuse.bad('decidedAlready')
  const all = approversOf(db, approval._id)
  const status = outcomeOf(all.map((each) => each.decision))
  if (status === 'open') return status
  if (status === 'approved') requireAuthority(db, approval, all, file)
  endApproval(db, approval._id, status, now)
  // Of somebody without an account, the version names who asked them.
  setVersionStatus(db, approval.version, status, now, approver.user ?? approval.createdBy)
  mailRequester({ db, now, trial }, approval, file, { ...approver, ...decisionFields })
  return status
}

/** Refuses (400) an approval if no approver held approveFiles when deciding, and the requester does not hold it now. */
function requireAuthority(db: Db, approval: ApprovalRow, approvers: readonly ApproverRow[], file: FileRow): void {
  if (approvers.some((each) => each.mayApprove) || mayApprove(db, approval.createdBy, file)) return
  throw refuse.bad('approverLost')
}
