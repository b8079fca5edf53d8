/** Versions of files: how they are added, shown and recorded. */
import { type Access, holds } from '#access/caller'
import type { Key } from '#access/keys'
import { placeVisibleTo } from '#access/places'
import { rowById } from '#db/rows'
import { sites } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { bytesFor } from '#office/files/bytes'
import { MAX_VERSIONS, type VersionInput } from '#office/files/model'
import { downloadName, nameOfUpload, placesOf, visibleVersionsOf } from '#office/files/rules'
import type { FileContext } from '#office/files/scope'
import { type FileRow, insertVersion, type VersionRow, versionsOf } from '#office/files/store'
import { type VersionText, versionTextsOf } from '#office/files/words/store'
import { hourLinkMaker } from '#storage/links'

/** Refuses (403) a caller without the permission for files of that site, or null for those of the whole trial. */
function requireKey(access: Access, key: Key, site: Id | null): void {
  if (!holds(access, key, placesOf(site))) throw refuse.missingPermission([`trial.${key}`])
}

/** Refuses (400) sites that are not in the trial, or that the caller does not see; then, as `requireKey`, each place. */
export function requirePlaces({ db, trial, access }: FileContext, places: readonly (Id | null)[], ...keys: Key[]) {
  for (const site of places) {
    if (site === null) continue
    const isSeen = rowById(db, sites, site)?.trial === trial._id && placeVisibleTo(access, 'site', site)
    if (!isSeen) throw refuse.bad('siteElsewhere')
  }
  for (const site of places) for (const key of keys) requireKey(access, key, site)
}

/** The permissions that a new version with this status needs. */
export const keysFor = (status: VersionInput['status']): Key[] =>
  status === 'approved' ? ['writeFiles', 'approveFiles'] : ['writeFiles']

/** Adds a version at the end. The caller has checked the permissions and the bytes. */
export function addVersion(context: FileContext, file: FileRow, input: VersionInput): VersionRow {
  const { db, now, id, caller } = context
  if (file.latest >= MAX_VERSIONS) throw refuse.bad('tooManyVersions', { most: MAX_VERSIONS })
  const { name, storedName, status = 'draft', expiresAt = null } = input
  const bytes = bytesFor(context, file, storedName)
  const { _id: uploader, name: uploaderName } = caller.user
  return insertVersion(db, {
    ...{ _id: id(), createdAt: now, trial: file.trial, file: file._id, number: file.latest + 1 },
    ...{ storedName: bytes.storedName, originalName: bytes.originalName, mimeType: bytes.mimeType },
    ...{ size: bytes.size, sha256: bytes.sha256, name: name ?? nameOfUpload(bytes.originalName), expiresAt },
    ...{ uploader, uploaderName, status, statusAt: now, statusBy: uploader },
  })
}

/** Of a version whose row about its text was lost, the start of the server makes a new one. */
const WAITING_TEXT: VersionText = { textState: 'waiting', textProblem: null, isTextCut: false }

/** Returns a function that shows one of these versions, with a link that begins like the request and works for an hour. */
export function versionViewer(
  { db, services, now }: Pick<FileContext, 'db' | 'services' | 'now'>,
  rows: readonly VersionRow[],
) {
  const link = hourLinkMaker(services, now)
  const texts = versionTextsOf(
    db,
    rows.map(({ _id }) => _id),
  )
  return (row: VersionRow) => ({
    ...row,
    ...(texts.get(row._id) ?? WAITING_TEXT),
    uploader: { _id: row.uploader, name: row.uploaderName },
    url: link(row.storedName, downloadName(row)),
  })
}

/** Files as the caller sees them, with their versions. */
export function fileViews(context: FileContext, rows: readonly FileRow[]) {
  const seen = rows.map((row) => ({ _id: row._id, visibleVersions: visibleVersionsOf(context.access, row) }))
  const versions = versionsOf(context.db, seen)
  const shown = versionViewer(context, [...versions.values()].flat())
  return rows.map((row) => ({ ...row, versions: (versions.get(row._id) ?? []).map(shown) }))
}

/** One file as the caller sees it, with its latest version. */
export function fileView(context: FileContext, row: FileRow) {
  const [file] = fileViews(context, [row])
  return { ...file!, latestVersion: file!.versions.at(-1) ?? null }
}

/** What an entry of the audit trail says about a file: where it is, which decides who may read the entry, and its fields. */
export const fileEntry = ({ site }: Pick<FileRow, 'site'>, event: Record<string, unknown>) => ({
  event: { fileSite: site ?? 'trial', ...event },
})

/** A file without what only lists need. */
export function fileFields(file: FileRow) {
  const { folded: _, latest: __, status: ___, approved: ____, approvedUntil: _____, ...fields } = file
  return fields
}
