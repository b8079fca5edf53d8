import { existsSync, statSync } from 'node:fs'
import type { StudyRecord } from '#design/studyRecord/task'
import type { ArchiveWriter } from '#documents/archives/writer'
import { uploadPath } from '#storage/names'

export type AddedFiles = { files: number; amiss: StudyRecord['amiss'] }

/** Adds the uploads under their stored names, which the tables show too. */
export function addFiles(
  uploads: readonly { name: string; sha256: string | null }[],
  { files: directory }: { files: string },
  parts: ArchiveWriter,
): AddedFiles {
  const amiss: StudyRecord['amiss'] = []
  let files = 0
  for (const { name, sha256 } of uploads) {
    const path = uploadPath(directory, name)
    if (!existsSync(path)) {
      amiss.push({ name, problem: 'is missing' })
      continue
    }
    const found = parts.file(`files/${name}`, statSync(path).size, path)
    if (sha256 !== null && sha256 !== found) amiss.push({ name, problem: 'is not what was uploaded' })
    files++
  }
  return { files, amiss }
}
