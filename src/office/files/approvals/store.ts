/** Approvals of files in the database. */
import type { Db } from '#db/open'
import { insert, rowById, rowsFrom, rowsWhere, rowWhere, updateWhere } from '#db/rows'
import { fileApprovals, fileApprovers, masterFileVersions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { VersionRow } from '#office/files/store'

export type ApprovalRow = typeof fileApprovals.$inferSelect
export type ApproverRow = typeof fileApprovers.$inferSelect
export type ApprovalStatus = ApprovalRow['status']
export type Decision = NonNullable<ApproverRow['decision']>

/** The requests about a file, oldest first. @param isWhole whether those are shown that did not end with an approval */
export const approvalsOf = (db: Db, file: Id, isWhole: boolean): ApprovalRow[] =>
  rowsWhere(db, fileApprovals, isWhole ? { file } : { file, status: 'approved' }, '_id')

/** The approvers of all requests about a file, by request. */
export function approversIn(db: Db, file: Id): Map<Id, ApproverRow[]> {
  const rows = rowsFrom(
    db,
    fileApprovers,
    'WHERE approval IN (SELECT _id FROM fileApprovals WHERE file = +$file) ORDER BY _id',
    { file },
  )
  return Map.groupBy(rows, ({ approval }) => approval)
}

export const approversOf = (db: Db, approval: Id): ApproverRow[] => rowsWhere(db, fileApprovers, { approval }, '_id')

export const approvalById = (db: Db, _id: Id): ApprovalRow | undefined => rowById(db, fileApprovals, _id)

export const approverByHash = (db: Db, hash: string): ApproverRow | undefined => rowWhere(db, fileApprovers, { hash })

export const openApprovalOf = (db: Db, file: Id): ApprovalRow | undefined =>
  rowWhere(db, fileApprovals, { file, status: 'open' })

export const versionById = (db: Db, _id: Id): VersionRow | undefined => rowById(db, masterFileVersions, _id)

/** The versions of a file before this one, newest first. */
export const versionsBefore = (db: Db, { file, number }: VersionRow, limit: number): VersionRow[] =>
  rowsFrom(db, masterFileVersions, 'WHERE file = $file AND number < +$number ORDER BY number DESC LIMIT +$limit', {
    file,
    number,
    limit,
  })

export const newestVersion = (db: Db, file: Id, number: number): VersionRow | undefined =>
  rowWhere(db, masterFileVersions, { file, number })

type NewApproval = Omit<ApprovalRow, 'status' | 'endedAt'>
type NewApprover = Omit<ApproverRow, 'decision' | 'decidedAt' | 'comment' | 'byLink' | 'mayApprove'>

export const insertApproval = (db: Db, row: NewApproval): ApprovalRow =>
  insert(db, fileApprovals, { ...row, status: 'open' })
export const insertApprover = (db: Db, row: NewApprover): ApproverRow => insert(db, fileApprovers, row)

type DecisionFields = Pick<ApproverRow, 'decision' | 'decidedAt' | 'comment' | 'byLink' | 'mayApprove'>

/** Stores a decision, unless there is one. Returns whether it did. */
export const storeDecision = (db: Db, _id: Id, fields: DecisionFields): boolean =>
  updateWhere(db, fileApprovers, { _id, decision: null }, fields) > 0

/** Ends an open request. */
export const endApproval = (db: Db, _id: Id, status: Exclude<ApprovalStatus, 'open'>, endedAt: Instant) =>
  updateWhere(db, fileApprovals, { _id, status: 'open' }, { status, endedAt })

export const setVersionStatus = (db: Db, _id: Id, status: Decision, statusAt: Instant, statusBy: Id) =>
  updateWhere(db, masterFileVersions, { _id }, { status, statusAt, statusBy })
