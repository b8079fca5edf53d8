/** The trial master file in a study record: a table of its files and versions, and the bytes of the versions. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'
import { exemptionsOf, masterFileApprovalsOf, masterFileVersionsOf } from './store'

const HEADERS = [
  ...['site', 'type', 'file', 'description', 'tags', 'number', 'version', 'status', 'statusAt', 'createdAt'],
  ...['uploader', 'expiresAt', 'originalName', 'mimeType', 'size', 'sha256', 'storedName'],
]

/**
 * A table with a row for each version, and for each file without one, one of the approvals, and one of the essential records that are not
 * applicable; those that have no row are left out.
 * `files`: the stored names of the versions, which the table shows too.
 */
export function masterFileOf(db: Db, trial: Id): { sheets: Sheet[]; files: string[] } {
  const versions = masterFileVersionsOf(db, trial)
  const rows = versions.map((row): Cell[] => [
    ...[row.site, row.type, row.file, row.description, JSON.parse(row.tags).join('; '), row.number, row.version],
    ...[row.status, row.statusAt === null ? null : { at: row.statusAt }, { at: row.createdAt }, row.uploader],
    ...[row.expiresAt === null ? null : { day: row.expiresAt }, row.originalName, row.mimeType, row.size, row.sha256],
    row.storedName,
  ])
  const files = versions.flatMap(({ storedName }) => storedName ?? [])
  const versionTable = rows.length ? [sheet('master-file', HEADERS, rows)] : []
  return { sheets: [...versionTable, ...approvalTable(db, trial), ...exemptionTable(db, trial)], files }
}

const APPROVAL_HEADERS = [
  ...['site', 'file', 'number', 'createdAt', 'createdBy', 'message', 'status', 'endedAt'],
  ...['approver', 'email', 'role', 'decision', 'decidedAt', 'comment', 'byLink'],
]

const moment = (at: number | null): Cell => (at === null ? null : { at })

/** The table of the approval requests, with a row for each approver, if there is any. */
function approvalTable(db: Db, trial: Id): Sheet[] {
  const rows = masterFileApprovalsOf(db, trial).map((row): Cell[] => [
    ...[row.site, row.file, row.number, moment(row.createdAt), row.createdBy, row.message, row.status],
    ...[moment(row.endedAt), row.approver, row.email, row.role, row.decision, moment(row.decidedAt), row.comment],
    row.byLink === null ? null : row.byLink === 1,
  ])
  return rows.length ? [sheet('master-file-approvals', APPROVAL_HEADERS, rows)] : []
}

const EXEMPTION_HEADERS = ['site', 'record', 'reason', 'createdAt', 'createdBy']

/** The table of the essential records that are not applicable, if there is any. */
function exemptionTable(db: Db, trial: Id): Sheet[] {
  const rows = exemptionsOf(db, trial).map((row): Cell[] => [
    ...[row.site, row.record, row.reason, moment(row.createdAt), row.createdByName],
  ])
  return rows.length ? [sheet('master-file-exemptions', EXEMPTION_HEADERS, rows)] : []
}
