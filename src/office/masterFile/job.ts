/** The work that writes the report on the trial master file, and the job that writes a zip of it. */
import type { JobServices } from '#jobs/kind'
import { unchangedResult, workerKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { DAY } from '#kernel/time'
import { insertFile } from '#storage/store'
import { type ArchiveResult, ArchiveTask, ReportTask } from './task'

/** Writes the report as PDF to a file among the exports, for a caller that waits. */
export const masterFileReport = workerKind({
  kind: 'masterFileReport',
  lane: 'exports',
  input: ReportTask,
  work: async () => (await import('./reportWork')).reportWork,
  finish: unchangedResult,
})

/** How long the link to a zip works. */
const KEPT = DAY

function finish(
  { db, clock, storage }: JobServices,
  { user, input }: { user: Id; input: ArchiveTask },
  { name, bytes: size, sha256, counts, amiss }: ArchiveResult,
) {
  const now = clock.now()
  const { trial, file: storedName } = input
  insertFile(db, {
    ...{ storedName, createdAt: now, kind: 'export', trial, forType: 'trial', forId: trial, createdBy: user, name },
    ...{ type: 'application/zip', size, sha256, finishedAt: now, expiresAt: now + KEPT },
  })
  return { request: storage.downloadUrl(storedName, name, now + KEPT), fileName: name, sha256, counts, amiss }
}

/** Writes the trial master file with its index into one zip (docs/essential-records.md, "The zip"). */
export const masterFileArchive = workerKind({
  kind: 'masterFileArchive',
  lane: 'exports',
  input: ArchiveTask,
  work: async () => (await import('./archiveWork')).archiveWork,
  finish,
  // The file may be written already, and no row refers to it.
  onFailure: ({ storage, fault }, { input }) => {
    storage.remove(input.file).catch((reason) => fault(reason, 'zip of a master file'))
  },
})
