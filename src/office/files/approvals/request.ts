/** Requests for approval: how they are made, shown and recorded. */
import type { Staff } from '#access/caller'
import type { Db } from '#db/open'
import type { RequestContext } from '#http/operation'
import { type Id, newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY } from '#kernel/time'
import type { VisibleFile } from '#office/files/scope'
import type { FileRow, VersionRow } from '#office/files/store'
import { findApprovers, mayApprove } from './approvers'
import { mailApprover } from './mail'
import { type ApproverInput, MAX_APPROVALS } from './model'
import { statusLabels } from './rules'
import {
  type ApprovalRow,
  type ApproverRow,
  approvalsOf,
  approversIn,
  approversOf,
  insertApproval,
  insertApprover,
  newestVersion,
  openApprovalOf,
} from './store'

const LINK_LIFETIME = 30 * DAY

type ApprovalRequest = { approvers: readonly ApproverInput[]; message?: string | null | undefined }

/** Asks people to approve the newest version of the file, and sends each a link. Refuses (400) what cannot be reviewed. */
export function requestApproval(context: RequestContext<Staff> & VisibleFile, input: ApprovalRequest): ApprovalRow {
  const { db, now, id, caller, trial, file, services } = context
  const { message = null } = input
  const version = reviewableVersion(db, file)
  const requested = findApprovers(context, file, input.approvers)
  if (![caller.user._id, ...requested.map(({ user }) => user)].some((user) => mayApprove(db, user, file)))
    throw refuse.bad('approverMissing')
  const createdBy = caller.user._id
  const linksUntil = now + LINK_LIFETIME
  const row = insertApproval(db, {
    ...{ _id: id(), createdAt: now, createdBy, trial: trial._id, file: file._id, version: version._id },
    ...{ message, linksUntil },
  })
  const about = { user: caller.user.name, file: file.name, number: version.number, message, until: linksUntil }
  for (const to of requested) {
    const { user, email, name, role } = to
    const token = newSecret()
    insertApprover(db, { _id: id(), approval: row._id, user, email, name, role, hash: sha256(token) })
    mailApprover(context, to, `${services.publicUrl}/app/file-review/${token}`, about)
  }
  return row
}

/** The newest version of the file. Refuses (400) one that is decided, or that is under review already. */
function reviewableVersion(db: Db, file: FileRow): VersionRow {
  const version = newestVersion(db, file._id, file.latest)
  if (!version) throw refuse.bad('fileWithoutVersion')
  if (version.status !== 'draft') throw refuse.bad('versionDecided', { status: statusLabels[version.status] })
  if (openApprovalOf(db, file._id)) throw refuse.bad('versionUnderReview')
  if (approvalsOf(db, file._id, true).length >= MAX_APPROVALS)
    throw refuse.bad('tooManyApprovals', { most: MAX_APPROVALS })
  return version
}

const approverView = ({ user, email, name, role, decision, decidedAt, comment, byLink }: ApproverRow) => ({
  ...{ id: user, email, name, role, decision, decidedAt, comment, byLink },
})

/** A request as its readers see it, and as the audit trail records it. */
export const approvalView = (db: Db, row: ApprovalRow) => ({
  ...row,
  approvers: approversOf(db, row._id).map(approverView),
})

/** The requests about a file, oldest first. @param isWhole as of `approvalsOf` */
export function approvalViews(db: Db, file: Id, isWhole: boolean) {
  const approvers = approversIn(db, file)
  return approvalsOf(db, file, isWhole).map((row) => ({
    ...row,
    approvers: (approvers.get(row._id) ?? []).map(approverView),
  }))
}
