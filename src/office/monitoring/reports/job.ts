/** The job that writes a report on a site, and the registration of the finished file. */
import type { JobServices } from '#jobs/kind'
import { workerKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { DAY } from '#kernel/time'
import { insertFile } from '#storage/store'
import { type SiteReportResult, SiteReportTask } from './task'

/** How long the link to a report works. */
const KEPT = DAY

function finish(
  { db, clock, storage }: JobServices,
  { user, input }: { user: Id; input: SiteReportTask },
  { name, bytes: size, sha256 }: SiteReportResult,
) {
  const now = clock.now()
  insertFile(db, {
    ...{ storedName: input.file, createdAt: now, kind: 'export', trial: input.trial, forType: 'site' },
    ...{ forId: input.site, createdBy: user, name, type: 'application/pdf', size, sha256, finishedAt: now },
    expiresAt: now + KEPT,
  })
  return { request: storage.downloadUrl(input.file, name, now + KEPT), fileName: name, sha256 }
}

/** Writes a report on a site as PDF (docs/monitoring.md, "Reports"). */
export const siteReport = workerKind({
  kind: 'siteReport',
  lane: 'exports',
  input: SiteReportTask,
  work: async () => (await import('./work')).siteReportWork,
  finish,
  // The file may be written already, and no row refers to it.
  onFailure: ({ storage, fault }, { input }) => {
    storage.remove(input.file).catch((reason) => fault(reason, 'site report'))
  },
})
