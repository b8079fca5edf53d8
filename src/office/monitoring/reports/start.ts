import type { Staff } from '#access/caller'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { RequestContext } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { newStoredName } from '#storage/names'
import { siteReport } from './job'
import type { SiteReportTask } from './task'

type StartContext = RequestContext<Staff> & { trial: { _id: Id }; after(effect: () => void): void }

/** Starts the job that writes a report, in the language of the caller; it runs after the commit. */
export function startReport(
  { services, db, now, id, caller, trial, after }: StartContext,
  about: Pick<SiteReportTask, 'report' | 'site' | 'visit'>,
): { jobId: Id } {
  const { language } = rowById(db, users, caller.user._id)!
  const input: SiteReportTask = { ...about, trial: trial._id, language, at: now, file: newStoredName('a.pdf', now) }
  const by = { createdAt: now, user: caller.user._id, trial: trial._id }
  const { jobId } = insertJob(db, siteReport, { _id: id(), ...by, input })
  after(() => void services.startJob(jobId))
  return { jobId }
}
