/** New files, and copies of files. */
import { holds } from '#access/caller'
import type { Id } from '#kernel/id'
import { requireReaders } from './assignees'
import type { FileInput } from './model'
import { placesOf, statusOfCopy, uniqueTags } from './rules'
import type { FileContext } from './scope'
import { type FileRow, fileById, insertFile, insertVersion, type VersionRow } from './store'

type Fields = Omit<FileInput, 'site'>

/**
 * Creates a file without a version. Refuses (400) assignees who could not read it.
 * @param approved the number of the version that the caller adds as approved; null if there is none
 */
export function newFile(
  context: FileContext,
  site: Id | null,
  fields: Fields,
  approved: number | null = null,
): FileRow {
  const { db, now, id, caller, trial } = context
  const { name, type = 'other', description = null } = fields
  const assignees = [...new Set(fields.assignees)]
  requireReaders(db, trial, { site, approved }, assignees)
  return insertFile(db, {
    ...{ _id: id(), createdAt: now, createdBy: caller.user._id, updatedAt: now, trial: trial._id, site },
    ...{ name, type, description, tags: uniqueTags(fields.tags ?? []), assignees },
  })
}

/**
 * Copies a file with these versions to a site, or null for the whole trial. The copy shares nothing with the original that
 * could change; it has no assignees.
 */
export function copyFile(
  context: FileContext,
  { name, type, description, tags }: FileRow,
  versions: readonly VersionRow[],
  site: Id | null,
): FileRow {
  const { db, now, id, caller, access } = context
  const copy = newFile(context, site, { name, type, description, tags })
  const mayApprove = holds(access, 'approveFiles', placesOf(site))
  for (const [at, version] of versions.entries()) {
    const status = statusOfCopy(version.status, mayApprove)
    const decision = status === version.status ? {} : { status, statusAt: now, statusBy: caller.user._id }
    insertVersion(db, { ...version, ...decision, _id: id(), file: copy._id, number: at + 1 })
  }
  return fileById(db, copy._id)!
}
