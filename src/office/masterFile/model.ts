/** Requests for the report on the trial master file, and for a zip of it (docs/essential-records.md). */
import { either, id, maybe, oneOf, shape, text, withDescription } from '#wire/schema'

const site = () =>
  maybe(withDescription('Only this site, or `none` for the whole trial alone.', either(id(), oneOf('none'))))

export const ReportInput = shape('MasterFileReportInput', { site: site() })

export const ReportLink = shape('MasterFileReport', {
  url: withDescription('Downloads the PDF, for an hour.', text(1, 5000)),
  fileName: text(1, 300),
  sha256: text(64, 64),
})

/** Which versions of each file a zip holds. */
export const selections = ['all', 'approved'] as const

export const ArchiveInput = shape('MasterFileArchiveInput', {
  site: site(),
  versions: maybe(
    withDescription(
      '`all`, the default, or `approved`: of each file only the newest approved version.',
      oneOf(...selections),
    ),
  ),
})

export const ArchiveJob = shape('MasterFileArchiveJob', { jobId: id() })
