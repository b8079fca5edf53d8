/** The input and the result of a worker thread that writes the report on a person: plain JSON. */
import type { TaskKind } from '#jobs/kind'
import { id, shape, text, type ValueOf, whole } from '#wire/schema'

export const ReportTask = shape({
  trial: id(),
  participant: id(),
  /** When it was requested, in microseconds. */
  at: whole(),
  /** The stored name of the file. */
  file: text(1, 200),
})
export type ReportTask = ValueOf<typeof ReportTask>

export type ReportResult = {
  /** When the personal information was erased, at the time when the report was read. */
  erasedAt: number | null
  bytes: number
  sha256: string
  counts: { responses: number; submissions: number; messages: number; files: number; auditEntries: number }
  /** Uploads that are missing on the disk or differ from what was uploaded; normally empty. */
  amiss: { name: string; problem: string }[]
}

export const reportTask: TaskKind<ReportTask, ReportResult> = { kind: 'personalReport', input: ReportTask }
