/** What a zip will hold: the path of each version, and what the index says of it. */
import type { FileRow } from '#office/files/store'
import { filesIn, listIn, type MasterFile, type ReportFile, type ReportVersion } from './content'
import { extensionOf, safePart, uniqueParts, versionPart } from './paths'
import { createArchived, keepArchived, type Review } from './store'
import type { ArchiveTask } from './task'

/** A line of the index: moments in microseconds, days as text; what does not apply is null. */
export type IndexLine = {
  site: string | null
  siteName: string | null
  type: FileRow['type']
  file: string
  description: string | null
  tags: string[]
  number: number | null
  version: string | null
  status: string | null
  statusAt: number | null
  uploadedAt: number | null
  uploader: string | null
  expiresAt: string | null
  originalName: string | null
  mimeType: string | null
  size: number | null
  statusBy: string | null
  reviews: Review[]
  /** Why nothing is in the zip for it. */
  problem: string | null
}

const NO_VERSION = {
  ...{ number: null, version: null, status: null, statusAt: null, uploadedAt: null, uploader: null },
  ...{ expiresAt: null, originalName: null, mimeType: null, size: null, statusBy: null, reviews: [] },
}

const fieldsOf = (version: ReportVersion) => {
  const { number, name, status, statusAt, createdAt, uploaderName, expiresAt, originalName, mimeType, size } = version
  const { statusByName: statusBy, reviews } = version
  return {
    ...{ number, version: name, status, statusAt, uploadedAt: createdAt, uploader: uploaderName },
    ...{ expiresAt, originalName, mimeType, size, statusBy, reviews, problem: null },
  }
}

/** Returns a function that gives the path of a version. It is called in the order of places and types. */
function pathsIn({ sites }: MasterFile) {
  const siteFolder = uniqueParts()
  const folders = new Map<string, string>()
  let folder = ''
  let unique = uniqueParts()
  for (const [_id, { id }] of sites) folders.set(_id, `sites/${siteFolder(safePart(id, 60))}`)
  return ({ file: { site, type, name } }: ReportFile, { number, originalName }: ReportVersion): string => {
    const next = `${site === null ? 'trial' : folders.get(site)}/${type}`
    if (next !== folder) unique = uniqueParts()
    folder = next
    const extension = extensionOf(originalName)
    return `${folder}/${unique(versionPart(name, number, extension), extension)}`
  }
}

/** The versions of a file that the zip holds. */
const selectVersions = ({ versions, file }: ReportFile, selection: ArchiveTask['versions']): ReportVersion[] =>
  selection === 'all' ? versions : versions.filter(({ number }) => number === file.approved)

/** Keeps the lines of the index in a temporary table. Returns how many files and versions there are. */
export function planArchive(masterFile: MasterFile, selection: ArchiveTask['versions']) {
  const { db, sites } = masterFile
  const pathOf = pathsIn(masterFile)
  const counts = { files: listIn(masterFile), versions: 0 }
  createArchived(db)
  for (const page of filesIn(masterFile, counts.files)) {
    for (const seen of page) {
      const { site, type, name: file, description, tags } = seen.file
      const place = site === null ? undefined : sites.get(site)
      const about = { site: place?.id ?? null, siteName: place?.name ?? null, type, file, description, tags }
      const versions = selectVersions(seen, selection)
      counts.versions += versions.length
      for (const version of versions) {
        const line: IndexLine = { ...about, ...fieldsOf(version) }
        const { storedName, sha256 } = version
        keepArchived(db, { path: pathOf(seen, version), storedName, sha256, cells: JSON.stringify(line) })
      }
      if (versions.length) continue
      const problem = seen.versions.length ? 'has no approved version' : 'has no version'
      const line: IndexLine = { ...about, ...NO_VERSION, problem }
      keepArchived(db, { path: null, storedName: null, sha256: null, cells: JSON.stringify(line) })
    }
  }
  return counts
}
