/** The report on the trial master file, and a zip of it (docs/essential-records.md). */
import type { Staff } from '#access/caller'
import { packAllKeys } from '#access/packedAccess'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import type { TrialScope } from '#design/trials/scope'
import { trial } from '#design/trials/scope'
import { anywhere, operation, type RequestContext } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import { insertJob } from '#jobs/queue'
import { refuse } from '#kernel/problem'
import { placesFor } from '#office/files/checklist/checklist'
import { createExportLink } from '#storage/exportLinks'
import { newStoredName } from '#storage/names'
import { masterFileArchive, masterFileReport } from './job'
import { ArchiveInput, ArchiveJob, ReportInput, ReportLink } from './model'
import type { ReportTask } from './task'

const needs = [anywhere('trial.readFiles'), anywhere('trial.readApprovedFiles')]

/** The input of the work. Refuses (400) a site that is not in the trial, or whose files the caller may not read. */
function taskOf(context: RequestContext<Staff> & TrialScope, site: string | undefined, name: string): ReportTask {
  const { db, now, caller, trial, access } = context
  const place = site === 'none' ? null : site
  if (place !== undefined && !placesFor(context, place).length)
    throw refuse.bad(place === null ? 'trialFilesHidden' : 'siteFilesHidden')
  const { language, name: userName } = rowById(db, users, caller.user._id)!
  const by = { access: packAllKeys(access), userName, language, at: now, file: newStoredName(name, now) }
  return { trial: trial._id, ...by, ...(place === undefined ? {} : { site: place }) }
}

const exportReport = operation({
  id: 'exportMasterFileReport',
  method: 'POST',
  path: '/trials/:trialId/files/reports',
  summary: 'Write the report on the trial master file as PDF',
  description:
    'The essential records that are lacking or have expired at this stage, and an index of the files by site and type with their ' +
    'versions and approvals. It has what the caller may read, in the language of the caller. `url` works for an hour.',
  scope: trial,
  needs,
  limit: 20,
  logs: 'exportMasterFileReport',
  body: ReportInput,
  returns: ReportLink,
  prepare: async (context) => {
    const task = taskOf(context, context.body.site, 'report.pdf')
    return { file: task.file, ...(await performForRequest(context.services, masterFileReport, task, context.caller)) }
  },
  run: (context) => {
    const { body, prepared, record } = context
    const { file: storedName, name, bytes: size, sha256 } = prepared
    record({ event: { format: 'pdf', filters: body, sha256 } })
    return {
      url: createExportLink(context, { storedName, name, type: 'application/pdf', size }),
      fileName: name,
      sha256,
    }
  },
})

const exportArchive = operation({
  id: 'exportMasterFile',
  method: 'POST',
  path: '/trials/:trialId/files/archives',
  summary: 'Write the trial master file with its index into one zip',
  description:
    'A job. Its result holds `request`, a link for one day, `fileName`, `sha256`, `counts`, and `amiss`: what is missing on the disk or ' +
    'was altered there. The files are in folders by site and type; index.csv and index.html list them, MANIFEST is for `sha256sum -c`. ' +
    'It has what the caller may read.',
  scope: trial,
  needs,
  logs: 'exportMasterFile',
  body: ArchiveInput,
  returns: ArchiveJob,
  run: (context) => {
    const { services, db, now, id, caller, trial, body, record, after } = context
    const { site, versions = 'all' } = body
    const input = { ...taskOf(context, site, 'a.zip'), versions }
    const by = { createdAt: now, user: caller.user._id, trial: trial._id }
    const { jobId } = insertJob(db, masterFileArchive, { _id: id(), ...by, input })
    after(() => void services.startJob(jobId))
    record({ event: { format: 'zip', filters: { ...body, versions }, jobId } })
    return { jobId }
  },
})

export const masterFileOperations = [exportReport, exportArchive] as const
