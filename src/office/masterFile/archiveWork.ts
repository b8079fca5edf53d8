import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '#db/open'
import { inReadTransaction } from '#db/readTransaction'
import { type ArchiveWriter, openSignedArchive } from '#documents/archives/writer'
import type { Work, WorkerContext } from '#jobs/work'
import { uploadPath } from '#storage/names'
import { hashOfFile, replaceFileLater } from '#writers/file'
import { approvalSheet, checklistSheet, indexPage, indexSheet } from './archiveIndex'
import { planArchive } from './archivePlan'
import { masterFileFor } from './content'
import { fileNameOf } from './reportWork'
import { archivedRows, dropLists } from './store'
import type { ArchiveResult, ArchiveTask } from './task'

type Progress = WorkerContext['progress']

/** Adds the bytes of a version. Returns what is wrong with them. */
function addBytes(parts: ArchiveWriter, path: string, from: string, sha256: string | null): string | undefined {
  if (!existsSync(from)) return 'is missing'
  return parts.file(path, statSync(from).size, from) === sha256 ? undefined : 'is not what was uploaded'
}

/** Adds the bytes of all versions. Returns what is wrong with some, by the number of the line of the index, and by path. */
function addVersions(db: Db, files: string, parts: ArchiveWriter, count: number, progress: Progress) {
  const problems = new Map<number, string>()
  const amiss: ArchiveResult['amiss'] = []
  let added = 0
  for (const { n, path, storedName, sha256 } of archivedRows(db)) {
    if (path === null || storedName === null) continue
    if (added % 200 === 0) progress(`Adding the files: ${added} of ${count}.`)
    const problem = addBytes(parts, path, uploadPath(files, storedName), sha256)
    added++
    if (problem === undefined) continue
    problems.set(n, problem)
    amiss.push({ path, problem })
  }
  return { problems, amiss }
}

/**
 * Writes the zip with the files of one moment: they are listed in one short transaction, and added afterwards. Memory does not grow with
 * the files. @throws 404 if the trial was deleted
 */
export const archiveWork: Work<ArchiveTask, ArchiveResult> = async (task, { db, setup, progress }) => {
  const path = join(setup.exports, task.file)
  progress('Listing the files.')
  try {
    const {
      reading: masterFile,
      counts,
      checklist,
    } = inReadTransaction(db, () => {
      const masterFile = masterFileFor(db, task)
      const table = checklistSheet(masterFile)
      return {
        reading: masterFile,
        counts: planArchive(masterFile, task.versions),
        checklist: { ...table, rows: [...table.rows] },
      }
    })
    const amiss = await replaceFileLater(path, async (output) => {
      const parts = openSignedArchive(output, setup.storageKey)
      const { problems, amiss } = addVersions(db, setup.files, parts, counts.versions, progress)
      progress('Writing the index.')
      await parts.sheet('index.csv', indexSheet(db, problems))
      await parts.text('index.html', indexPage(masterFile, problems))
      await parts.sheet('approvals.csv', approvalSheet(db))
      await parts.sheet('checklist.csv', checklist)
      parts.end()
      return amiss
    })
    progress('Checking what was written.')
    const name = fileNameOf(masterFile, 'master file', 'zip')
    return { name, bytes: statSync(path).size, sha256: hashOfFile(path), counts, amiss }
  } finally {
    dropLists(db)
  }
}
