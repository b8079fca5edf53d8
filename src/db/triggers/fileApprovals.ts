/** Triggers of approvals of files: what was asked stays, a decision is given once, and a new version ends an open request. */
import { IN_TRIAL, refuseDeletions, refuseUpdates, rowExists, trigger } from './builders'

export const fileApprovalTriggers: readonly string[] = [
  refuseUpdates('fileApprovals', 'a request stays as it was sent', {
    of: '_id, createdAt, createdBy, trial, file, version, message, linksUntil',
  }),
  refuseUpdates('fileApprovals', 'a request ends once', {
    name: 'fileApprovalsEndOnce',
    when: `OLD.status <> 'open'`,
  }),
  refuseUpdates('fileApprovers', 'approvers stay as they were asked', {
    of: '_id, approval, user, email, name, role, hash',
  }),
  refuseUpdates('fileApprovers', 'a decision is given once', {
    name: 'fileApproversDecideOnce',
    when: 'OLD.decision IS NOT NULL',
  }),
  // They go with their file or their trial only.
  refuseDeletions(
    'fileApprovals',
    'approvals of files are kept',
    `${rowExists('masterFiles', 'OLD.file')} AND ${IN_TRIAL}`,
  ),
  refuseDeletions('fileApprovers', 'approvals of files are kept', rowExists('fileApprovals', 'OLD.approval')),
  trigger(
    'fileApprovalsVersionInsert',
    'AFTER INSERT',
    'masterFileVersions',
    `UPDATE fileApprovals SET status = 'stale', endedAt = NEW.createdAt WHERE file = NEW.file AND status = 'open'`,
  ),
]
