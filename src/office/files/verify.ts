/** Checks that the files of the master file agree with their versions, and versions with the uploads that hold their bytes. */
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { verifyWords } from '#office/files/words/maintenance'
import { foldName } from './rules'
import { counts, fileDifferingFromVersions, filteredFiles, versionWithoutBytes } from './verifyStore'

/** Returns a summary. @throws a fault that names the first file that does not fit */
export function verifyMasterFiles(sqlite: Sqlite): string {
  const withoutBytes = versionWithoutBytes(sqlite)
  if (withoutBytes) throw fault(`version ${withoutBytes.number} of file ${withoutBytes.file} is not what was uploaded`)
  const mismatch = fileDifferingFromVersions(sqlite)
  if (mismatch) throw fault(`file ${mismatch._id} does not agree with its versions`)
  const found = { tags: 0, users: 0 }
  for (const { _id, name, folded: stored, tags, tagRows, users, userRows } of filteredFiles(sqlite)) {
    const own: string[] = JSON.parse(tags)
    const listed: string[] = JSON.parse(tagRows)
    const isListed = own.length === listed.length && own.every((tag) => listed.includes(foldName(tag)))
    if (stored !== foldName(name) || !isListed || users !== userRows)
      throw fault(`file ${_id} is not found by its name, tags and assignees`)
    found.tags += own.length
    found.users += JSON.parse(users).length
  }
  const all = counts(sqlite)
  if (found.tags !== all.tags || found.users !== all.users)
    throw fault('there are tags or assignees of files that no file has')
  verifyWords(sqlite)
  return `${all.files} files with ${all.versions} versions fit`
}
