/** Approvals of files, for people who are signed in (docs/master-file.md, "Approvals"). Neither lock refuses them. */
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { file, type VisibleFile } from '#office/files/scope'
import { fileEntry } from '#office/files/versions/versions'
import { shape } from '#wire/schema'
import { decide } from './decision'
import { Approval, ApprovalInput, Approvals, DecisionInput } from './model'
import { approvalView, approvalViews, requestApproval } from './request'
import { statusLabels } from './rules'
import { approval } from './scope'
import { approvalById, approversOf, endApproval } from './store'

/** Refuses (403) a caller who does not see the file with all its versions. */
function requireAllVersions({ visibleVersions }: VisibleFile): void {
  if (visibleVersions !== 'all') throw refuse.missingPermission(['trial.readFiles'])
}

const listApprovals = operation({
  id: 'listFileApprovals',
  method: 'GET',
  path: '/files/:fileId/approvals',
  summary: 'List the approval requests of a file with their decisions',
  description:
    'Oldest first. Readers with the permission readApprovedFiles alone get those that ended with an approval.',
  scope: file,
  needs: ['trial.readFiles', 'trial.readApprovedFiles'],
  returns: Approvals,
  run: ({ db, file, visibleVersions }) => ({ approvals: approvalViews(db, file._id, visibleVersions === 'all') }),
})

const createApproval = operation({
  id: 'createFileApproval',
  method: 'POST',
  path: '/files/:fileId/approvals',
  summary: 'Ask people to approve the latest version of a file',
  description:
    'Each approver gets an e-mail with a link that shows this version alone, and takes their decision. The version is approved when ' +
    'all have approved, and rejected when one rejects it. One approver, or the caller, must hold approveFiles.',
  scope: file,
  needs: 'trial.requestFileApproval',
  logs: 'createFileApproval',
  body: ApprovalInput,
  returns: Approval,
  run: (context) => {
    requireAllVersions(context)
    const shown = approvalView(context.db, requestApproval(context, context.body))
    context.record(fileEntry(context.file, { after: shown }))
    return shown
  },
})

const withdrawApproval = operation({
  id: 'withdrawFileApproval',
  method: 'DELETE',
  path: '/files/:fileId/approvals/:approvalId',
  summary: 'Withdraw an approval request',
  description: 'The request stays in the list, and the links of its approvers end.',
  scope: approval,
  needs: 'trial.requestFileApproval',
  logs: 'withdrawFileApproval',
  returns: shape({}),
  run: (context) => {
    const { db, now, file, approval, record } = context
    requireAllVersions(context)
    if (approval.status !== 'open') throw refuse.bad('approvalEnded', { status: statusLabels[approval.status] })
    endApproval(db, approval._id, 'withdrawn', now)
    record(fileEntry(file, { before: approvalView(db, approval) }))
    return {}
  },
})

const decideApproval = operation({
  id: 'decideFileApproval',
  method: 'POST',
  path: '/files/:fileId/approvals/:approvalId/decisions',
  summary: 'Approve or reject a version as an approver who is signed in',
  scope: approval,
  needs: 'trial.readFiles',
  logs: 'decideFileApproval',
  body: DecisionInput,
  returns: Approval,
  run: (context) => {
    const { db, caller, file, approval, body, record } = context
    const approver = approversOf(db, approval._id).find(({ user }) => user === caller.user._id)
    if (!approver) throw refuse.forbidden('notApprover')
    if (approval.status !== 'open') throw refuse.bad('approvalEnded', { status: statusLabels[approval.status] })
    const status = decide(context, approver, body, false)
    record(fileEntry(file, { version: approval.version, ...body, status }))
    return approvalView(db, approvalById(db, approval._id)!)
  },
})

export const fileApprovalOperations = [listApprovals, createApproval, withdrawApproval, decideApproval] as const
