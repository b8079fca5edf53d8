/** The input and the result of a worker thread that writes a report on a site: plain JSON. */
import { id, oneOf, orNull, shape, text, type ValueOf, whole } from '#wire/schema'

export const SiteReportTask = shape({
  report: oneOf('visit', 'delegations', 'trainings'),
  trial: id(),
  site: id(),
  /** Of a visit; else null. */
  visit: orNull(id()),
  /** Of the person who requested the report. */
  language: orNull(text(0, 100)),
  /** When it was requested, in microseconds. */
  at: whole(),
  /** The stored name of the file. */
  file: text(1, 200),
})
export type SiteReportTask = ValueOf<typeof SiteReportTask>

export type SiteReportResult = { name: string; bytes: number; sha256: string }
