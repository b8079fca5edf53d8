import type { Access, Caller } from '#access/caller'
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import { userByEmail } from '#accounts/users/store'
import type { Db } from '#db/open'
import { type Trial, trialById } from '#design/trials/store'
import type { Scope, ScopeResult } from '#http/operation'
import { type Id, sha256 } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type Instant, instantText } from '#kernel/time'
import { visibleVersionsOf } from '#office/files/rules'
import { fileVisibleTo, type VisibleFile } from '#office/files/scope'
import { type FileRow, fileById, type VersionRow } from '#office/files/store'
import { type ApprovalRow, type ApproverRow, approvalById, approverByHash, versionById } from './store'

/** The permissions of a person who can read the file with all versions now; undefined if they cannot, or are disabled. */
export function readerAccess(db: Db, user: Id, file: FileRow): Access | undefined {
  if (!enabledUser(db, user)) return undefined
  const access = accessOf(db, user).trials.get(file.trial)
  return access && visibleVersionsOf(access, file) === 'all' ? access : undefined
}

/** The request of `:approvalId`, if it is about the file that `:fileId` names. */
export const approval: Scope<VisibleFile & { approval: ApprovalRow }, 'fileId' | 'approvalId'> = (context) => {
  const { db, params } = context
  const inFile = fileVisibleTo(context, params.fileId)
  const row = found(approvalById(db, params.approvalId), 'approval request')
  const isSeen = inFile.visibleVersions !== 'approved' || row.status === 'approved'
  if (row.file !== inFile.file._id || !isSeen) throw refuse.missing('approval request')
  return { ...inFile, approval: row }
}

type ReviewScope = ScopeResult & {
  trial: Trial
  file: FileRow
  version: VersionRow
  approval: ApprovalRow
  approver: ApproverRow
}

/**
 * Whether who got the link may still use it: with an account, while they can read the file. An address that belongs to a disabled
 * account opens nothing either.
 */
function mayReview(db: Db, { user, email }: ApproverRow, file: FileRow): boolean {
  if (user !== null) return readerAccess(db, user, file) !== undefined
  const account = userByEmail(db, email)
  return !account || enabledUser(db, account._id) !== null
}

/** Why the link of an approver no longer works, for the page behind it; undefined while it works. */
function endReason({ status, linksUntil }: ApprovalRow, { decision, decidedAt }: ApproverRow, now: Instant) {
  if (decision !== null) return { code: 'decided', decision, decidedAt: decidedAt && instantText(decidedAt) }
  if (status !== 'open') return { code: status }
  return linksUntil <= now ? { code: 'expired' } : undefined
}

/**
 * What the link of `:token` is for.
 * @throws 404 if it was used or has ended, also if its request has; `details.code` says which, unless they may not read the file
 */
export const review: Scope<ReviewScope, 'token', Caller> = ({ db, params, now }) => {
  const approver = approverByHash(db, sha256(params.token))
  const approval = approver && approvalById(db, approver.approval)
  if (!approval) throw refuse.linkEnded()
  const trial = trialById(db, approval.trial)
  const file = fileById(db, approval.file)
  const version = versionById(db, approval.version)
  if (!trial || trial.deletedAt !== null || !file || !version || !mayReview(db, approver, file))
    throw refuse.linkEnded()
  const end = endReason(approval, approver, now)
  if (end) throw refuse.linkEnded(end)
  return { trial, file, version, approval, approver }
}
