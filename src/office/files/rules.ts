/** Who sees what of a file, and how its texts are compared. */
import { type Access, holds, holdsAnywhere, type Places, scopeOf } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import type { Id } from '#kernel/id'
import { cut } from '#kernel/text'
import type { VersionStatus } from './model'

/** Where a file is: permissions on the trial count for it, and those on its site. */
export const placesOf = (site: Id | null): Places => ({ sites: site === null ? [] : [site], groups: [] })

/** `all`: the file with all versions. `approved`: with its approved versions only. */
export type VisibleVersions = 'all' | 'approved' | 'nothing'

/** What a person sees of a file. @param file.approved the number of its newest approved version; null if there is none */
export function visibleVersionsOf(
  access: Access,
  { site, approved }: { site: Id | null; approved: number | null },
): VisibleVersions {
  const places = placesOf(site)
  if (holds(access, 'readFiles', places)) return 'all'
  return approved !== null && holds(access, 'readApprovedFiles', places) ? 'approved' : 'nothing'
}

/**
 * Whether the existence of a file that a person may not read is hidden from them. Without any permission to read files, a person who
 * sees its place learns which permission is missing, whether there is such a file or not.
 */
export const isHiddenFrom = (access: Access, site: Id | null): boolean =>
  holdsAnywhere(access, 'readApprovedFiles') ||
  (site === null ? access.trial.size === 0 : !placeVisibleTo(access, 'site', site))

/** The places whose files a person sees with all versions, and those whose files they see with approved versions. */
export type FileScope = { whole: 'all' | readonly Id[]; approved: 'all' | readonly Id[] }

export function fileScopeOf(access: Access): FileScope {
  const sitesWith = (key: 'readFiles' | 'readApprovedFiles') => {
    const scope = scopeOf(access, [key])
    return scope === 'all' ? 'all' : scope.sites
  }
  return { whole: sitesWith('readFiles'), approved: sitesWith('readApprovedFiles') }
}

/** A name or tag as searches and filters compare it: whatever the case, and however its characters are composed. */
export const foldName = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Tags, each once whatever the case, without spaces around them. */
export function uniqueTags(tags: readonly string[]): string[] {
  const byFold = new Map<string, string>()
  for (const tag of tags) if (!byFold.has(foldName(tag.trim()))) byFold.set(foldName(tag.trim()), tag.trim())
  return [...byFold.values()]
}

/** The name of a version without one of its own: that of the upload, within the bounds of names. */
export const nameOfUpload = (original: string): string => cut(original.length < 2 ? `${original}.` : original, 100)

/** The name under which a version is saved: its own, with the extension of the file that was uploaded. */
export function downloadName({ name, originalName }: { name: string; originalName: string }): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(originalName)?.[0] ?? ''
  return name.toLowerCase().endsWith(extension.toLowerCase()) ? name : `${name}${extension}`
}

/** The status of a copy: an approval counts where the person may approve, elsewhere the copy is a draft. */
export const statusOfCopy = (status: VersionStatus, mayApprove: boolean): VersionStatus =>
  status === 'approved' && !mayApprove ? 'draft' : status
