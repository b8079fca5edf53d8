/** The bytes of versions: uploads that belong to the master file alone, so that they can be deleted with the last version. */
import { requireQuota } from '#conduct/uploads/quota'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { newStoredName } from '#storage/names'
import { claimUpload, insertFile as insertUpload, type StoredFile, usableFile } from '#storage/store'
import { fileScopeOf } from './rules'
import type { FileContext } from './scope'
import { type FileRow, readableVersion, type VersionRow } from './store'

export type FileContent = Pick<VersionRow, 'storedName' | 'originalName' | 'mimeType' | 'size' | 'sha256'>

/** The finished upload for the trial, or for the site of a file. */
const uploadFor = ({ db, trial }: FileContext, site: Id | null, storedName: string): StoredFile | undefined =>
  usableFile(db, storedName, 'trial', trial._id) ??
  (site === null ? undefined : usableFile(db, storedName, 'site', site))

/** A version with these bytes that the caller may read. */
const versionWith = ({ db, trial, access }: FileContext, storedName: string): VersionRow | undefined =>
  readableVersion(db, trial._id, fileScopeOf(access), storedName)

/**
 * Refuses (400) a stored name for new versions at these places, unless it is that of a finished upload for the trial or the site,
 * or of a version that the caller may read.
 */
export function requireBytes(context: FileContext, places: readonly (Id | null)[], storedName: string): void {
  const version = versionWith(context, storedName)
  if (version || places.every((site) => uploadFor(context, site, storedName))) return
  throw refuse.bad('fileNotUploaded')
}

/** The bytes that a new version of the file gets. The caller has called `requireBytes`. */
export function bytesFor(context: FileContext, file: FileRow, storedName: string): FileContent {
  const upload = uploadFor(context, file.site, storedName)
  if (!upload) return versionWith(context, storedName)!
  return bytesOf(claimUpload(context.db, storedName, file._id) ? upload : copyOf(context, upload, file))
}

function bytesOf({ storedName, name, type, size, sha256 }: StoredFile): FileContent {
  if (size === null || sha256 === null) throw refuse.bad('uploadNotFinished')
  return { storedName, originalName: name, mimeType: type, size, sha256 }
}

/** An upload that something else names already stays as it is: the version gets a name of its own for the same bytes. */
function copyOf({ db, services, now, trial, caller }: FileContext, upload: StoredFile, { _id }: FileRow): StoredFile {
  requireQuota(db, services.quotas, { trial: trial._id }, upload.size ?? 0, now)
  const storedName = newStoredName(upload.name, now)
  services.storage.link(upload.storedName, storedName)
  const createdBy = caller.user._id
  return insertUpload(db, { ...upload, storedName, createdAt: now, createdBy, forId: _id, isUsed: true })
}
