/** The inputs and results of the threads that write the report on the trial master file and its zip: plain JSON. */
import { PackedAccess } from '#access/packedAccess'
import { id, maybe, oneOf, orNull, shape, text, type ValueOf, whole } from '#wire/schema'
import { selections } from './model'

const common = {
  trial: id(),
  /** What the caller may see. */
  access: PackedAccess,
  /** The name of the caller. */
  userName: text(0, 1000),
  /** Of the caller. */
  language: orNull(text(0, 100)),
  /** When it was requested, in microseconds. */
  at: whole(),
  /** The stored name of the file. */
  file: text(1, 200),
  /** Only this place: a site, or null for the whole trial. */
  site: maybe(orNull(id())),
}

export const ReportTask = shape(common)
export type ReportTask = ValueOf<typeof ReportTask>

export const ArchiveTask = shape({ ...common, versions: oneOf(...selections) })
export type ArchiveTask = ValueOf<typeof ArchiveTask>

export type ReportResult = { name: string; bytes: number; sha256: string }

export type ArchiveResult = ReportResult & {
  counts: { files: number; versions: number }
  /** Versions whose bytes are missing on the disk or differ from what was uploaded, by their path; normally empty. */
  amiss: { path: string; problem: string }[]
}
